import { isDeepStrictEqual } from 'node:util'
import type { Chat, Markup, Message } from './chats.ts'
import type { Call, Method } from './desk.ts'
import { mediaFields } from './files.ts'
import { brokenCall } from './own-limits.ts'
import { asText, type Params } from './request-body.ts'
import { markup, words } from './sending.ts'
import { badRequest, telegramFaults } from './telegram-fault.ts'

function editable(call: Call): { chat: Chat; message: Message } {
  const { desk, params, method } = call
  desk.refuse(brokenCall(method, params))
  const chat = desk.chats.writable(params.chat_id)
  const message = desk.chats.message(chat, params.message_id, 'message to edit not found')
  if (message.from?.id !== desk.me.id) throw telegramFaults.cannotEdit()
  return { chat, message }
}

/** Replaces these fields (undefined takes one away); what changes nothing is refused, as Telegram does. */
function replace({ desk }: Call, chat: Chat, message: Message, fields: Record<string, unknown>): Message {
  const next: Message = { ...message, ...fields }
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete next[name]
  const { edit_date: _before, ...before } = message
  const { edit_date: _after, ...after } = next
  if (isDeepStrictEqual(before, after)) throw telegramFaults.notModified()
  next.edit_date = Math.floor(desk.now() / 1_000)
  chat.messages.set(message.message_id, next)
  return next
}

const editMessageText: Method = (call) => {
  const { chat, message } = editable(call)
  if (message.text === undefined) throw badRequest('there is no text in the message to edit')
  // Left out, the keyboard goes with the old text.
  return replace(call, chat, message, {
    entities: undefined,
    reply_markup: undefined,
    ...words(call, call.params, 'text'),
    ...markup(call.params),
  })
}

const editMessageCaption: Method = (call) => {
  const { chat, message } = editable(call)
  const gone = { caption: undefined, caption_entities: undefined, reply_markup: undefined }
  return replace(call, chat, message, { ...gone, ...words(call, call.params, 'caption'), ...markup(call.params) })
}

const editMessageReplyMarkup: Method = (call) => {
  const { chat, message } = editable(call)
  const newMarkup = call.params.reply_markup as Markup | undefined
  // Left out, this call leaves the buttons where they are; only an empty keyboard that is there takes them away.
  if (newMarkup === undefined) throw telegramFaults.notModified()
  return replace(call, chat, message, { reply_markup: undefined, ...markup(call.params) })
}

/** Another medium takes the place of everything that was there, of a text too. */
const noContent = Object.fromEntries(
  ['text', 'entities', 'caption', 'caption_entities', 'photo', 'video', 'animation', 'audio', 'document'].map((field) => [
    field,
    undefined,
  ]),
)

const editMessageMedia: Method = (call) => {
  const { chat, message } = editable(call)
  const media = call.params.media as Params
  const kind = String(media.type)
  const fields = mediaFields(kind, call.desk.files.resolve(media.media, kind, call.uploads))
  return replace(call, chat, message, {
    ...noContent,
    reply_markup: undefined,
    ...fields,
    ...words(call, media, 'caption'),
    ...markup(call.params),
  })
}

const deleteMessage: Method = ({ desk, params }) => {
  const chat = desk.chats.writable(params.chat_id)
  desk.chats.message(chat, params.message_id, 'message to delete not found')
  chat.messages.delete(Number(params.message_id))
  return true
}

const deleteMessages: Method = ({ desk, params }) => {
  const chat = desk.chats.writable(params.chat_id)
  for (const id of params.message_ids as number[]) chat.messages.delete(id)
  return true
}

function pinnable({ desk, params }: Call): Chat {
  const chat = desk.chats.writable(params.chat_id)
  if (!chat.canPin) throw badRequest('not enough rights to manage pinned messages in the chat')
  return chat
}

const pinChatMessage: Method = (call) => {
  const chat = pinnable(call)
  const { message_id: id } = call.desk.chats.message(chat, call.params.message_id, 'message to pin not found')
  chat.pins = [...chat.pins.filter((pin) => pin.message !== id), { message: id, notify: call.params.disable_notification !== true }]
  return true
}

const unpinChatMessage: Method = (call) => {
  const chat = pinnable(call)
  const id = call.params.message_id === undefined ? chat.pins.at(-1)?.message : Number(call.params.message_id)
  if (!chat.pins.some((pin) => pin.message === id)) throw badRequest('message to unpin not found')
  chat.pins = chat.pins.filter((pin) => pin.message !== id)
  return true
}

const unpinAllChatMessages: Method = (call) => {
  pinnable(call).pins = []
  return true
}

const setMessageReaction: Method = (call) => {
  const { desk, params } = call
  desk.refuse(brokenCall(call.method, params))
  const chat = desk.chats.writable(params.chat_id)
  const { message_id: id } = desk.chats.message(chat, params.message_id, 'message to react not found')
  const reactions = ((params.reaction as { emoji?: string }[] | undefined) ?? []).map(({ emoji }) => ({
    by: desk.me.id,
    emoji: emoji ?? '',
  }))
  chat.reactions.set(id, [...(chat.reactions.get(id) ?? []).filter(({ by }) => by !== desk.me.id), ...reactions])
  return true
}

const answerCallbackQuery: Method = (call) => {
  const { desk, params } = call
  desk.refuse(brokenCall(call.method, params))
  const query = desk.queries.get(String(params.callback_query_id))
  if (!query || query.isOld) throw telegramFaults.queryTooOld()
  desk.toasts.push({ query: query.id, text: asText(params.text), alert: params.show_alert === true })
  return true
}

export const changing: Record<string, Method> = {
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  editMessageMedia,
  deleteMessage,
  deleteMessages,
  pinChatMessage,
  unpinChatMessage,
  unpinAllChatMessages,
  setMessageReaction,
  answerCallbackQuery,
}
