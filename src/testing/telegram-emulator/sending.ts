import type { Chat, Markup, Message } from './chats.ts'
import type { Call, Method } from './desk.ts'
import { parseText } from './entities.ts'
import { mediaFields } from './files.ts'
import { brokenCall, brokenText } from './own-limits.ts'
import { asText, type Params } from './request-body.ts'
import { badRequest } from './telegram-fault.ts'

/** Text or caption as it will be kept, after the limits were looked at. */
export function words({ desk }: Call, params: Params, kind: 'text' | 'caption'): Partial<Message> {
  const raw = params[kind]
  if (kind === 'caption' && (raw === undefined || raw === '')) return {}
  const isText = kind === 'text'
  const parsed = parseText(asText(raw), params.parse_mode, isText ? params.entities : params.caption_entities)
  desk.refuse(brokenText(kind, parsed))
  const entities = parsed.entities.length > 0 ? { [isText ? 'entities' : 'caption_entities']: parsed.entities } : {}
  return { [kind]: parsed.text, ...entities }
}

export function markup(params: Params): { reply_markup?: Markup } {
  const givenMarkup = params.reply_markup as Markup | undefined
  return givenMarkup?.inline_keyboard && givenMarkup.inline_keyboard.flat().length > 0 ? { reply_markup: givenMarkup } : {}
}

function place(call: Call): { chat: Chat; fields: Partial<Message> } {
  const { desk, params } = call
  desk.refuse(brokenCall(call.method, params))
  const topic = params.message_thread_id
  const chat = desk.chats.writable(params.chat_id, topic)
  const reply = params.reply_parameters as { message_id?: number; allow_sending_without_reply?: boolean } | undefined
  const replied = reply?.message_id === undefined ? undefined : chat.messages.get(reply.message_id)
  if (reply?.message_id !== undefined && !replied && reply.allow_sending_without_reply !== true)
    throw badRequest('message to be replied not found')
  return {
    chat,
    fields: {
      ...(topic !== undefined && { message_thread_id: Number(topic), is_topic_message: true as const }),
      ...(replied && { reply_to_message: replied }),
      ...markup(params),
    },
  }
}

const sendMessage: Method = (call) => {
  const { chat, fields } = place(call)
  return call.desk.chats.write(chat, call.desk.me, { ...words(call, call.params, 'text'), ...fields })
}

const sendMedia =
  (kind: string): Method =>
  (call) => {
    const { desk, params, uploads } = call
    const { chat, fields } = place(call)
    const caption = words(call, params, 'caption')
    const file = desk.files.resolve(params[kind], kind, uploads)
    return desk.chats.write(chat, desk.me, { ...mediaFields(kind, file), ...caption, ...fields })
  }

const sendMediaGroup: Method = (call) => {
  const { desk, params, uploads } = call
  const { chat, fields } = place(call)
  const group = `g${chat.nextMessage}`
  const items = (params.media as Params[]).map((item) => {
    const kind = String(item.type)
    return { ...mediaFields(kind, desk.files.resolve(item.media, kind, uploads)), ...words(call, item, 'caption') }
  })
  return items.map((item) => desk.chats.write(chat, desk.me, { ...item, ...fields, media_group_id: group }))
}

const sendOther =
  (field: string, ...names: string[]): Method =>
  (call) => {
    const { chat, fields } = place(call)
    const body = Object.fromEntries(names.filter((name) => call.params[name] !== undefined).map((name) => [name, call.params[name]]))
    return call.desk.chats.write(chat, call.desk.me, { [field]: body, ...fields })
  }

const copied =
  (isForward: boolean): Method =>
  (call) => {
    const { desk, params } = call
    const { chat, fields } = place(call)
    const source = desk.chats.message(
      desk.chats.find(params.from_chat_id),
      params.message_id,
      `message to ${isForward ? 'forward' : 'copy'} not found`,
    )
    const { message_id: _id, chat: _chat, from, date, reply_markup: _markup, ...content } = source
    const origin = isForward ? { forward_origin: { type: 'user', sender_user: from, date } } : {}
    const written = desk.chats.write(chat, desk.me, { ...content, ...fields, ...origin })
    return isForward ? written : { message_id: written.message_id }
  }

const sendMessageDraft: Method = ({ desk, params }) => {
  const chat = desk.chats.writable(params.chat_id)
  if (chat.info.type !== 'private') throw badRequest('drafts can be sent only to private chats')
  desk.drafts.push({ chat: chat.info.id, text: asText(params.text) })
  return true
}

const sendChatAction: Method = ({ desk, params }) => {
  desk.chats.writable(params.chat_id, params.message_thread_id).actions.push(String(params.action))
  return true
}

export const sending: Record<string, Method> = {
  sendMessage,
  sendPhoto: sendMedia('photo'),
  sendDocument: sendMedia('document'),
  sendAudio: sendMedia('audio'),
  sendVideo: sendMedia('video'),
  sendVoice: sendMedia('voice'),
  sendAnimation: sendMedia('animation'),
  sendVideoNote: sendMedia('video_note'),
  sendSticker: sendMedia('sticker'),
  sendMediaGroup,
  sendLocation: sendOther('location', 'latitude', 'longitude'),
  sendPoll: sendOther('poll', 'question', 'options'),
  copyMessage: copied(false),
  forwardMessage: copied(true),
  sendMessageDraft,
  sendChatAction,
}
