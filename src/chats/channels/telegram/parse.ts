import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { getAddress } from './address.ts'
import { telegramLimits } from './limits.ts'

/** Update types requested from Telegram. */
export const wantedUpdates = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

type Fields = Record<string, unknown>

/** Converts updates that came together. The pictures of an album are one message, under the id of its first update. */
export function parseUpdates(updates: readonly unknown[], now: number = Date.now()): Inbound[] {
  const inbounds: Inbound[] = []
  const albums = new Map<string, number>()
  for (const update of updates) {
    const album = getAlbum(update)
    for (const inbound of parseUpdate(update, now)) {
      const at = album === null ? undefined : albums.get(album)
      const first = at === undefined ? undefined : inbounds[at]
      if (at !== undefined && first?.type === 'message' && inbound.type === 'message') {
        const text = [first.text, inbound.text].filter((part) => part !== '').join('\n')
        inbounds[at] = { ...first, text, media: [...first.media, ...inbound.media] }
        continue
      }
      if (album !== null) albums.set(album, inbounds.length)
      inbounds.push(inbound)
    }
  }
  return inbounds
}

function getAlbum(update: unknown): string | null {
  const message = fields(fields(update)?.message)
  const chat = fields(message?.chat)
  return typeof message?.media_group_id === 'string' ? `${String(chat?.id)}/${message.media_group_id}` : null
}

/**
 * Converts one update. Empty for updates without an effect here: service messages, other bots, channels, inline messages.
 * It comes from outside, so every field is looked at before it is used.
 */
export function parseUpdate(body: unknown, now: number = Date.now()): Inbound[] {
  const update = fields(body)
  if (!update || typeof update.update_id !== 'number') return []
  const order = update.update_id
  const id = `update:${order}`
  const message = fields(update.message)
  const edited = fields(update.edited_message)
  const query = fields(update.callback_query)
  const member = fields(update.my_chat_member)
  const match = message
    ? inMessage(message, id)
    : edited
      ? inEdit(edited, id)
      : query
        ? inTap(query, now)
        : member
          ? inMembership(member, id)
          : []
  return match.map((inbound) => ({ ...inbound, order }))
}

function inMessage(message: Fields, id: string): Inbound[] {
  const common = getCommon(message)
  const media = listMedia(message)
  const text = getText(message)
  if (common && typeof message.migrate_to_chat_id === 'number')
    return [{ ...withoutMessage(common), id, type: 'moved', to: getAddress(message.migrate_to_chat_id) }]
  if (!common || (text === '' && media.length === 0)) return []
  const replied = fields(message.reply_to_message)
  // In a forum every message answers the one that opened its topic; only a reply to another message was meant as one.
  const isTopicStart = replied?.message_id === message.message_thread_id
  const replyTo = typeof replied?.message_id === 'number' && !isTopicStart ? { replyTo: String(replied.message_id) } : {}
  return [{ id, type: 'message', ...common, text, media, ...replyTo }]
}

function inEdit(message: Fields, id: string): Inbound[] {
  const common = getCommon(message)
  const text = getText(message)
  return common && text !== '' ? [{ id, type: 'edit', ...common, text }] : []
}

function inTap(query: Fields, now: number): Inbound[] {
  const message = fields(query.message)
  const place = message && describeWhere(message)
  const from = getSender(query.from)
  if (!place || !from || !isOwnChat(place, from) || typeof query.id !== 'string' || typeof query.data !== 'string') return []
  const tap = { data: { id: query.id }, expiresAt: now + telegramLimits.tapLifeMs }
  return [{ id: `tap:${query.id}`, type: 'tap', ...place, from, at: now, tap, value: query.data }]
}

/** A person blocked or unblocked the bot in the private chat with them, or the bot was added to a group or removed. */
function inMembership(member: Fields, id: string): Inbound[] {
  const from = getSender(member.from)
  const chat = fields(member.chat)
  const status = fields(member.new_chat_member)?.status
  if (!from || typeof chat?.id !== 'number' || chat.type === 'channel' || typeof member.date !== 'number') return []
  const isPrivate = chat.type === 'private'
  const isGone = status === 'left' || status === 'kicked'
  const change = isPrivate ? (isGone ? 'blocked' : 'unblocked') : isGone ? 'removed' : 'added'
  return [{ id, type: 'membership', address: getAddress(chat.id), isPrivate, from, at: member.date * 1_000, change }]
}

const withoutMessage = <Common extends { messageId: string }>({ messageId: _messageId, ...rest }: Common): Omit<Common, 'messageId'> => rest

/** A private chat has the id of its person. An update that names another sender there does not come from Telegram. */
const isOwnChat = ({ address, isPrivate }: Place, { id }: Sender): boolean => !isPrivate || address.split(':topic:')[0] === id

type Place = { address: string; isPrivate: boolean; messageId: string }

function describeWhere(message: Fields): Place | null {
  const chat = fields(message.chat)
  if (typeof chat?.id !== 'number' || typeof message.message_id !== 'number' || chat.type === 'channel') return null
  // A reply in an ordinary group also carries a message_thread_id; only a topic is a place of its own.
  const topic = message.is_topic_message === true && typeof message.message_thread_id === 'number' ? message.message_thread_id : undefined
  return { address: getAddress(chat.id, topic), isPrivate: chat.type === 'private', messageId: String(message.message_id) }
}

function getCommon(message: Fields): (Place & { from: Sender; at: number }) | null {
  const place = describeWhere(message)
  const from = getSpeaker(message)
  return place && from && isOwnChat(place, from) ? { ...place, from, at: Number(message.edit_date ?? message.date) * 1_000 } : null
}

/**
 * The author of a message. Anonymous administrators and channels speak as a chat: `from` is then a stand-in of Telegram's.
 * Forwarded text counts as the forwarder's.
 */
function getSpeaker(message: Fields): Sender | null {
  const spoken = fields(message.sender_chat)
  if (!spoken) return getSender(message.from)
  if (typeof spoken.id !== 'number') return null
  const name = [message.author_signature, spoken.title, spoken.username].find((part) => typeof part === 'string' && part !== '')
  return { id: `chat:${spoken.id}`, name: typeof name === 'string' ? name : String(spoken.id), isAnonymous: true }
}

function getSender(value: unknown): Sender | null {
  const from = fields(value)
  if (typeof from?.id !== 'number' || from.is_bot === true) return null
  const name = [from.first_name, from.last_name].filter((part) => typeof part === 'string' && part !== '').join(' ')
  return {
    id: String(from.id),
    name: name || String(from.id),
    ...(typeof from.language_code === 'string' && { language: from.language_code }),
  }
}

function getText(message: Fields): string {
  if (typeof message.text === 'string') return message.text
  if (typeof message.caption === 'string') return message.caption
  const place = fields(message.location)
  if (place) return `Location: ${String(place.latitude)}, ${String(place.longitude)}`
  const person = fields(message.contact)
  if (person)
    return `Contact: ${[person.first_name, person.last_name, person.phone_number].filter((part) => typeof part === 'string').join(' ')}`
  const sticker = fields(message.sticker)
  return typeof sticker?.emoji === 'string' ? sticker.emoji : ''
}

const mediaKinds: readonly [field: string, kind: InboundMedia['kind']][] = [
  ['animation', 'video'],
  ['video', 'video'],
  ['video_note', 'video'],
  ['audio', 'audio'],
  ['voice', 'audio'],
  ['sticker', 'image'],
  ['document', 'file'],
]

function listMedia(message: Fields): InboundMedia[] {
  // The same picture in several sizes, the largest last.
  const largest = Array.isArray(message.photo) ? mediaFrom(message.photo.at(-1), 'image') : null
  if (largest) return [largest]
  // An animation is also there as a document, for programs that do not know animations: the first kind counts.
  for (const [field, kind] of mediaKinds) {
    const entry = mediaFrom(message[field], kind)
    if (entry) return [entry]
  }
  return []
}

function mediaFrom(value: unknown, kind: InboundMedia['kind']): InboundMedia | null {
  const file = fields(value)
  if (typeof file?.file_id !== 'string') return null
  return {
    kind,
    fileId: file.file_id,
    ...(typeof file.file_name === 'string' && { name: file.file_name }),
    ...(typeof file.file_size === 'number' && { sizeBytes: file.file_size }),
    ...(typeof file.mime_type === 'string' && { mimeType: file.mime_type }),
  }
}

const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)
