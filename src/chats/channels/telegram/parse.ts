import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'

/** Update types requested from Telegram. */
export const wantedUpdates = ['message', 'edited_message', 'callback_query'] as const

type Fields = Record<string, unknown>

/** A chat, or one topic in it, as it is spelled everywhere outside of this folder. */
export const getAddress = (chat: number | string, topic?: number | string): string =>
  topic === undefined ? `${chat}` : `${chat}:topic:${topic}`

/** Null for a public name such as @team: only Telegram knows its chat. */
export function normaliseAddress(target: string): string | null {
  const { chat_id: chat, message_thread_id: topic } = toPlace(target)
  if (!Number.isSafeInteger(chat) || (topic !== undefined && !Number.isSafeInteger(topic))) return null
  return getAddress(Number(chat) + 0, topic)
}

export function toPlace(address: string): { chat_id: number | string; message_thread_id?: number } {
  const [chat = '', topic] = address.split(':topic:')
  return { chat_id: /^-?\d+$/.test(chat) ? Number(chat) : chat, ...(topic !== undefined && { message_thread_id: Number(topic) }) }
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
  const match = message ? inMessage(message, id) : edited ? inEdit(edited, id) : query ? inTap(query, now) : []
  return match.map((inbound) => ({ ...inbound, order }))
}

function inMessage(message: Fields, id: string): Inbound[] {
  const common = getCommon(message)
  const media = listMedia(message)
  const text = getText(message)
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
  return [{ id: `tap:${query.id}`, type: 'tap', ...place, from, at: now, tap: query.id, value: query.data }]
}

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
