import type { Button, Message, RecordedMessage, Person } from './chats.ts'
import type { Desk } from './desk.ts'
import { mediaFields } from './files.ts'
import { telegramFaults } from './telegram-fault.ts'

export type SayOptions = {
  topic?: number
  replyTo?: number
  albumId?: string
  /** Speaks as the group itself, as an anonymous administrator does, or as a channel. */
  speaksAs?: 'group' | { id: number; title: string }
  /** The text was written by this person first. */
  forwardedFrom?: Person
}
export type MediaKind = 'photo' | 'document' | 'audio' | 'video' | 'voice' | 'animation' | 'video_note' | 'sticker'

/** A message as people in the chat see it now. */
export type SeenMessage = {
  id: number
  from: number
  isMine: boolean
  text: string
  entities: { type: string; offset: number; length: number }[]
  keyboard: Button[][]
  topic: number | undefined
  isPinned: boolean
  isEdited: boolean
  reactions: string[]
  raw: Message
}

/** Senders that Telegram names for messages of a group or a channel. */
const standIns = {
  group: { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' },
  channel: { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' },
} satisfies Record<string, Person>

/** The people's side of the chats: what they write, tap and see. */
export function listPeople(desk: Desk, numbersFrom = 0) {
  let queries = numbersFrom
  const getCommand = (text: string): object[] => {
    const command = /^\/\w+(@\w+)?/.exec(text)?.[0]
    return command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }]
  }
  const write = (chatId: number, person: Person, fields: Partial<Message>, options: SayOptions): Message => {
    const { topic, replyTo, albumId, speaksAs, forwardedFrom } = options
    const chat = desk.chats.find(chatId)
    const replied = replyTo === undefined ? undefined : chat.messages.get(replyTo)
    const author = speaksAs === undefined ? person : speaksAs === 'group' ? standIns.group : standIns.channel
    const message = desk.chats.write(chat, author, {
      ...fields,
      ...(speaksAs !== undefined && { sender_chat: speaksAs === 'group' ? chat.info : { ...speaksAs, type: 'channel' } }),
      ...(forwardedFrom && { forward_origin: { type: 'user', sender_user: forwardedFrom, date: Math.floor(desk.now() / 1_000) } }),
      ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true as const }),
      ...(replied && { reply_to_message: replied }),
      ...(albumId !== undefined && { media_group_id: albumId }),
    })
    desk.updates.push('message', message)
    return message
  }
  const query = (chatId: number, person: Person, messageId: number, data: string, isAccessible = true): string => {
    const chat = desk.chats.find(chatId)
    const message = chat.messages.get(messageId)
    const id = String(4_400_000_000_000 + ++queries)
    desk.queries.set(id, { id, from: person.id, chat: chatId, message: messageId, data, isOld: false })
    const visibleMessage = message && isAccessible ? message : { chat: chat.info, message_id: messageId, date: 0 }
    desk.updates.push('callback_query', { id, from: person, message: visibleMessage, chat_instance: String(chatId), data })
    return id
  }

  return {
    say: (chat: number, person: Person, text: string, options: SayOptions = {}): Message => {
      const entities = getCommand(text)
      return write(chat, person, { text, ...(entities.length > 0 && { entities: entities as Message['entities'] & object }) }, options)
    },
    media: (
      chat: number,
      person: Person,
      given: { kind: MediaKind; bytes: Buffer; name?: string; mimeType?: string; caption?: string } & SayOptions,
    ): Message => {
      const { kind, bytes, name = `${kind}.bin`, mimeType = 'application/octet-stream', caption } = given
      const file = desk.files.keep({ name, mimeType, bytes })
      return write(chat, person, { ...mediaFields(kind, file), ...(caption !== undefined && { caption }) }, given)
    },
    /** Taps a button that is there now, found by its data or its label. Returns the id of the callback query. */
    tap: (chat: number, person: Person, messageId: number, button: string): string => {
      const keyboard = desk.chats.find(chat).messages.get(messageId)?.reply_markup?.inline_keyboard ?? []
      const match = keyboard.flat().find(({ text, callback_data: data }) => data === button || text === button)
      if (match?.callback_data === undefined) {
        const there = keyboard.flat().map(({ text }) => `"${text}"`)
        throw new Error(`Message ${messageId} has no button "${button}" to tap; it has ${there.join(', ') || 'none'}.`)
      }
      return query(chat, person, messageId, match.callback_data)
    },
    /** Sends callback data that no button has to hold, as a changed client can. `isAccessible: false`: too old to be shown. */
    forge: (chat: number, person: Person, messageId: number, data: string, options: { isAccessible?: boolean } = {}): string =>
      query(chat, person, messageId, data, options.isAccessible ?? true),
    edit: (chatId: number, messageId: number, text: string): void => {
      const chat = desk.chats.find(chatId)
      const message = { ...desk.chats.message(chat, messageId, 'no such message'), text, edit_date: Math.floor(desk.now() / 1_000) }
      chat.messages.set(messageId, message)
      desk.updates.push('edited_message', message)
    },
    react: (chatId: number, person: Person, messageId: number, emoji: string): void => {
      const chat = desk.chats.find(chatId)
      const before = (chat.reactions.get(messageId) ?? []).filter(({ by }) => by !== person.id)
      chat.reactions.set(messageId, [...before, { by: person.id, emoji }])
      desk.updates.push('message_reaction', {
        chat: chat.info,
        message_id: messageId,
        user: person,
        date: Math.floor(desk.now() / 1_000),
        old_reaction: [],
        new_reaction: [{ type: 'emoji', emoji }],
      })
    },
    /** Puts a message there that an earlier emulator had, without telling the bot. */
    restore: (chatId: number, message: RecordedMessage): void => {
      const chat = desk.chats.find(chatId)
      chat.messages.set(message.message_id, { ...message, from: desk.me, chat: chat.info })
    },
    /** The message is gone, without the bot being told. */
    remove: (chatId: number, messageId: number): void => void desk.chats.find(chatId).messages.delete(messageId),
    block: (chatId: number): void => {
      desk.chats.find(chatId).refuses = telegramFaults.blocked()
    },
    unblock: (chatId: number): void => {
      desk.chats.find(chatId).refuses = null
    },
    /** No tap made until now can be answered any more. */
    expireQueries: (): void => {
      for (const one of desk.queries.values()) one.isOld = true
    },
    messages: (chatId: number): SeenMessage[] => {
      const chat = desk.chats.find(chatId)
      return [...chat.messages.values()].map((raw) => ({
        id: raw.message_id,
        from: raw.from?.id ?? 0,
        isMine: raw.from?.id === desk.me.id,
        text: raw.text ?? raw.caption ?? '',
        entities: raw.entities ?? raw.caption_entities ?? [],
        keyboard: raw.reply_markup?.inline_keyboard ?? [],
        topic: raw.message_thread_id,
        isPinned: chat.pins.some(({ message }) => message === raw.message_id),
        isEdited: raw.edit_date !== undefined,
        reactions: (chat.reactions.get(raw.message_id) ?? []).map(({ emoji }) => emoji),
        raw,
      }))
    },
    /** The number of the newest message, 0 in an empty chat. */
    getLast: (chatId: number): number => [...desk.chats.find(chatId).messages.keys()].at(-1) ?? 0,
    isAnswered: (tap: string): boolean => desk.toasts.some((toast) => toast.query === tap),
    chatActions: (chatId: number): readonly string[] => desk.chats.find(chatId).actions,
    pins: (chatId: number): readonly { message: number; notify: boolean }[] => desk.chats.find(chatId).pins,
  }
}

export type People = ReturnType<typeof listPeople>
