import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { getAddress } from './address.ts'
import { toOptionValue } from './card.ts'
import { feishuLimits } from './limits.ts'

type Fields = Record<string, unknown>

/** Facts that an event does not tell. `own` is the open id of the bot, once it is known. */
export type Known = { own: string | null; now: number }

/** It comes from outside, so every field is looked at before it is used. Unknown events are skipped. */
export function parseEvent(report: unknown, known: Known): Inbound[] {
  const { header, event } = fields(report) ?? {}
  const { event_id: id, event_type: type, create_time: time } = fields(header) ?? {}
  const details = fields(event)
  if (!details || typeof id !== 'string') return []
  const at = toTime(time, known.now)
  switch (type) {
    case 'im.message.receive_v1':
      return inMessage(details, known)
    case 'card.action.trigger':
      return inTap(details, id, known.now)
    case 'application.bot.menu_v6':
      return inMenu(details, id, at)
    case 'im.chat.member.bot.added_v1':
    case 'im.chat.member.bot.deleted_v1':
      return inMembership(details, id, at, type === 'im.chat.member.bot.added_v1' ? 'added' : 'removed')
    default:
      return []
  }
}

function inMessage({ sender, message: reported }: Fields, { own, now }: Known): Inbound[] {
  const message = fields(reported)
  const { sender_id: ids, sender_type: senderType } = fields(sender) ?? {}
  const from = senderType === 'user' ? getSender(ids) : null
  if (!message || !from || !isId(message.message_id) || !isId(message.chat_id)) return []
  const mentions = list(message.mentions).filter(isRecord)
  const { text, media } = readContent(message, mentions)
  if (text === '' && media.length === 0) return []
  const isPrivate = message.chat_type === 'p2p'
  const isMention = own !== null && mentions.some(({ id }) => fields(id)?.open_id === own)
  return [
    {
      id: `message:${message.message_id}`,
      type: 'message',
      address: isPrivate ? from.id : getAddress(message.chat_id, getRoot(message)),
      isPrivate,
      from,
      at: toTime(message.create_time, now),
      messageId: message.message_id,
      text,
      media,
      ...(isId(message.parent_id) && { replyTo: message.parent_id }),
      ...(isMention && { isMention: true as const }),
    },
  ]
}

/** The message that a topic begins with. A reply outside of a topic has a root too, and stands in the chat. */
function getRoot({ thread_id: thread, root_id: root, message_id: message }: Fields): string | undefined {
  if (!isId(thread)) return undefined
  return isId(root) ? root : isId(message) ? message : undefined
}

/** The chat is that of the tapped message; whether it is a direct one, and its topic, were written into the control. */
function inTap({ operator, action: acted, context }: Fields, id: string, now: number): Inbound[] {
  const from = getSender(operator)
  const { open_message_id: messageId, open_chat_id: chat } = fields(context) ?? {}
  const action = fields(acted)
  const control = fields(action?.value)
  const value = typeof action?.option === 'string' ? toOptionValue(action.option) : control?.value
  if (!from || !isId(chat) || !isId(messageId) || !control || typeof value !== 'string') return []
  const isPrivate = control.direct === 1
  const address = isPrivate ? from.id : getAddress(chat, isId(control.root) ? control.root : undefined)
  const tap = { data: {}, expiresAt: now + feishuLimits.tapDeadlineMs }
  return [{ id: `tap:${id}`, type: 'tap', address, isPrivate, from, at: now, tap, messageId, value }]
}

/** An entry of the menu of the bot, which only direct messages have. */
function inMenu({ operator, event_key: name }: Fields, id: string, at: number): Inbound[] {
  const from = getSender(fields(operator)?.operator_id)
  if (!from || typeof name !== 'string') return []
  return [{ id: `command:${id}`, type: 'command', address: from.id, isPrivate: true, from, at, name, text: '' }]
}

function inMembership({ chat_id: chat, operator_id: operator }: Fields, id: string, at: number, change: 'added' | 'removed'): Inbound[] {
  const from = getSender(operator)
  if (!from || !isId(chat)) return []
  return [{ id: `${change}:${id}`, type: 'membership', address: chat, isPrivate: false, from, at, change }]
}

/** The text and the files of a message, in an event or in a list. */
export const readMessage = (message: Fields): { text: string; media: InboundMedia[] } =>
  readContent(message, list(message.mentions).filter(isRecord))

function readContent(message: Fields, mentions: Fields[]): { text: string; media: InboundMedia[] } {
  const content = parseJson(message.content)
  const messageId = String(message.message_id)
  const words = (text: string): { text: string; media: InboundMedia[] } => ({ text: withNames(text, mentions), media: [] })
  const medium = (kind: InboundMedia['kind'], key: unknown): { text: string; media: InboundMedia[] } => ({
    text: '',
    media: isId(key) ? [{ kind, fileId: toFileId(messageId, key, kind), ...getName(content) }] : [],
  })
  switch (message.message_type) {
    case 'text':
      return words(typeof content.text === 'string' ? content.text : '')
    case 'post':
      return readPost(content, messageId, mentions)
    case 'image':
      return medium('image', content.image_key)
    case 'audio':
      return medium('audio', content.file_key)
    case 'media':
      return medium('video', content.file_key)
    case 'file':
      return medium('file', content.file_key)
    case 'location':
      return words(`[location: ${typeof content.name === 'string' ? content.name : ''}]`)
    default:
      return words(typeof message.message_type === 'string' ? `[${message.message_type}]` : '')
  }
}

/** Rich text: lines of nodes. */
function readPost(content: Fields, messageId: string, mentions: Fields[]): { text: string; media: InboundMedia[] } {
  const media: InboundMedia[] = []
  const toWords = (node: unknown): string => {
    const { tag, text, href, image_key: image, file_key: file, user_name: user, emoji_type: emoji } = fields(node) ?? {}
    if (tag === 'img' && isId(image)) media.push({ kind: 'image', fileId: toFileId(messageId, image, 'image') })
    if (tag === 'media' && isId(file)) media.push({ kind: 'video', fileId: toFileId(messageId, file, 'video') })
    if (tag === 'at') return `@${typeof user === 'string' ? user : ''}`
    if (tag === 'emotion') return `[${String(emoji)}]`
    if (typeof text !== 'string') return ''
    return tag === 'a' && typeof href === 'string' && href !== text ? `${text} (${href})` : text
  }
  const lines = list(content.content).map((line) => list(line).map(toWords).join(''))
  const title = typeof content.title === 'string' && content.title !== '' ? [content.title] : []
  return { text: withNames([...title, ...lines].join('\n'), mentions).trim(), media }
}

/** Mentions are numbered in the text; their names are beside it. A longer number is replaced before its beginning. */
const withNames = (text: string, mentions: Fields[]): string =>
  text.replaceAll(/@_user_\d+|@_all/g, (key) => {
    const name = mentions.find((one) => one.key === key)?.name
    return typeof name === 'string' ? `@${name}` : key === '@_all' ? '@all' : key
  })

const toFileId = (messageId: string, key: string, kind: InboundMedia['kind']): string =>
  `${messageId}/${key}/${kind === 'image' ? 'image' : 'file'}`

const getName = ({ file_name: name }: Fields): { name?: string } => (typeof name === 'string' ? { name } : {})

/** `operator` of a tap has the ids itself. */
function getSender(ids: unknown): Sender | null {
  const id = fields(ids)?.open_id
  return isId(id) ? { id, name: id } : null
}

function parseJson(text: unknown): Fields {
  try {
    return fields(JSON.parse(String(text)) as unknown) ?? {}
  } catch {
    return {}
  }
}

const toTime = (value: unknown, now: number): number => Number(value) || now
const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{4,200}$/.test(value)
