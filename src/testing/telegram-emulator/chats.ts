import type { Entity } from './entities.ts'
import { badRequest, type TelegramFault, telegramFaults } from './telegram-fault.ts'

export type Person = { id: number; is_bot: boolean; first_name: string; username?: string; language_code?: string }
export type ChatInfo = {
  id: number
  type: 'private' | 'group' | 'supergroup'
  title?: string
  first_name?: string
  username?: string
  is_forum?: true
}
export type Button = { text: string; callback_data?: string; url?: string; style?: string; disabled?: object; copy_text?: { text: string } }
export type Markup = { inline_keyboard?: Button[][] }

/** A message as Telegram sends it over the wire; media live under the field of their kind. */
export type Message = {
  message_id: number
  date: number
  chat: ChatInfo
  from?: Person
  text?: string
  entities?: Entity[]
  caption?: string
  caption_entities?: Entity[]
  reply_markup?: Markup
  message_thread_id?: number
  is_topic_message?: true
  reply_to_message?: Message
  edit_date?: number
  media_group_id?: string
  [field: string]: unknown
}

/** A message of the bot, without what its chat says. */
export type RecordedMessage = Pick<Message, 'message_id' | 'date' | 'text' | 'entities' | 'reply_markup' | 'edit_date' | 'reply_to_message'>

export type Topic = { name: string; closed: boolean }

export type Chat = {
  info: ChatInfo
  people: Set<number>
  messages: Map<number, Message>
  /** Newest last, as they were pinned. */
  pins: { message: number; notify: boolean }[]
  topics: Map<number, Topic>
  reactions: Map<number, { by: number; emoji: string }[]>
  actions: string[]
  canPin: boolean
  refuses: TelegramFault | null
  nextMessage: number
}

export type Chats = ReturnType<typeof makeChats>

/** People, chats and messages of the emulated platform. */
export function makeChats(me: Person, now: () => number, numbersFrom = 0) {
  const chats = new Map<number, Chat>()
  const people = new Map<number, Person>([[me.id, me]])
  let nextPerson = 1_001
  let nextGroup = 1

  const open = (info: ChatInfo, members: number[], canPin = true): Chat => {
    const chat: Chat = {
      info,
      people: new Set(members),
      messages: new Map(),
      pins: [],
      topics: new Map(),
      reactions: new Map(),
      actions: [],
      canPin,
      refuses: null,
      nextMessage: 1 + numbersFrom,
    }
    chats.set(info.id, chat)
    return chat
  }

  return {
    person(given: Partial<Person> = {}): Person {
      const id = given.id ?? nextPerson++
      const person: Person = { id, is_bot: false, first_name: `Person ${id}`, ...given }
      people.set(id, person)
      return person
    },
    /** The private chat with this person, which has the person's own id. */
    privateChat(person: Person): number {
      if (!chats.has(person.id)) {
        const { id, first_name, username } = person
        open({ id, type: 'private', first_name, ...(username !== undefined && { username }) }, [id])
      }
      return person.id
    },
    group(given: { title?: string; people: Person[]; forum?: boolean; canPin?: boolean; id?: number }): number {
      const id = given.id ?? -1_001_000_000_000 - nextGroup++
      open(
        { id, type: 'supergroup', title: given.title ?? 'A group', ...(given.forum && { is_forum: true as const }) },
        given.people.map((person) => person.id),
        given.canPin ?? true,
      )
      return id
    },
    find(id: unknown): Chat {
      const chat = chats.get(Number(id))
      if (!chat) throw telegramFaults.chatNotFound()
      return chat
    },
    /** A chat that may be written to. */
    writable(id: unknown, topic?: unknown): Chat {
      const chat = this.find(id)
      if (chat.refuses) throw chat.refuses
      if (topic === undefined) return chat
      const match = chat.topics.get(Number(topic))
      if (!match) throw badRequest('message thread not found')
      if (match.closed) throw badRequest('TOPIC_CLOSED')
      return chat
    },
    message(chat: Chat, id: unknown, why: string): Message {
      const message = chat.messages.get(Number(id))
      if (!message) throw badRequest(why)
      return message
    },
    write(chat: Chat, from: Person, fields: Partial<Message>): Message {
      const message: Message = { message_id: chat.nextMessage++, from, chat: chat.info, date: Math.floor(now() / 1_000), ...fields }
      chat.messages.set(message.message_id, message)
      return message
    },
    topic(chat: Chat, name: string): number {
      if (!chat.info.is_forum && chat.info.type !== 'private') throw badRequest('the chat is not a forum')
      const id = chat.nextMessage++
      chat.topics.set(id, { name, closed: false })
      return id
    },
    all: (): Chat[] => [...chats.values()],
    getPerson: (id: number): Person | undefined => people.get(id),
  }
}
