import { listElements, parse } from './feishu-rules.ts'

export type FeishuMessage = {
  id: string
  /** The chat (oc_…) it is in; direct messages have one too. */
  chat: string
  /** The message that begins its topic. */
  root?: string
  replyTo?: string
  type: string
  content: string
  at: number
  edits: number
  isPinned: boolean
  isDeleted: boolean
  reactions: { id: string; type: string; by: string }[]
}

export type FeishuState = {
  appId: string
  appSecret: string
  botId: string
  /** Access tokens that are accepted. */
  tokens: Set<string>
  messages: FeishuMessage[]
  byUuid: Map<string, FeishuMessage>
  uploads: Map<string, { name: string; bytes: number }>
  /** Received files by their key. */
  files: Map<string, Buffer>
  people: Map<string, string>
  /** Messages of people, as a list shows them. */
  said: { id: string; chat: string; root?: string; from: string; type: string; content: string; at: number }[]
  /** Where the messages of people are. */
  places: Map<string, { chat: string; root?: string }>
  count: number
  /** Requests that Feishu would refuse as malformed. */
  failures: string[]
  validate: (operation: string, body: unknown) => string[]
}

/** The chat of direct messages with a person. */
export const directChat = (person: string): string => `oc_direct${person.slice(3)}`

export const chatFor = (where: string): string => (where.startsWith('ou_') ? directChat(where) : (where.split(':thread:')[0] ?? where))

/** The control with this label: what Feishu reports about a tap on it. */
export function findAction(message: FeishuMessage, label: string): { tag: string; value: unknown; option?: string } {
  for (const element of listElements(parse(message.content))) {
    const value = element.behaviors?.find(({ type }) => type === 'callback')?.value
    if (value === undefined) continue
    if (element.tag === 'button' && element.text?.content === label) return { tag: 'button', value }
    const option = element.options?.find(({ text }) => text.content === label)
    if (option) return { tag: element.tag, value, option: option.value }
  }
  throw new Error(`there is no control "${label}"`)
}
