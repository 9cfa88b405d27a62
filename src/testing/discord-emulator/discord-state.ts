export type DiscordMessage = {
  id: string
  channel_id: string
  components: readonly object[]
  flags: number
  nonce?: string
  message_reference?: { message_id: string }
  attachments: readonly { id: string; filename: string; size: number; url: string; content_type?: string }[]
  author: { id: string; username: string; bot?: boolean }
  content: string
  poll?: object
  type: number
  isPinned: boolean
  isDeleted: boolean
  reactions: string[]
  /** Reactions of people. */
  others?: { name: string; user: string }[]
}

export type DiscordState = {
  token: string
  botId: string
  applicationId: string
  guildId: string
  url: string
  messages: DiscordMessage[]
  channels: Map<string, { id: string; type: number; parent_id?: string; guild_id?: string; recipient?: string }>
  people: Map<string, string>
  files: Map<string, Buffer>
  interactions: Map<string, { isAnswered: boolean; user: string; channel: string }>
  /** Messages that one person alone saw. */
  ephemerals: { user: string; channel: string; text: string }[]
  typing: string[]
  /** Requests that Discord would refuse as malformed. */
  failures: string[]
  nextId(): string
}

export type DiscordCall = {
  method: string
  /** Without the version of the API. */
  path: string
  query: URLSearchParams
  token: string
  body: Record<string, unknown>
  files: readonly { name: string; bytes: Buffer }[]
}

/** A component as the emulator reads it. */
export type Component = {
  type: number
  components?: Component[]
  content?: string
  label?: string
  custom_id?: string
  url?: string
  placeholder?: string
  options?: { label: string; value: string }[]
  file?: { url: string }
  items?: { media: { url: string } }[]
}

export const listComponents = (components: readonly Component[]): Component[] =>
  components.flatMap((one) => [one, ...listComponents(one.components ?? [])])

/** The words of a message, in their order. */
export const joinWords = ({ components, content }: Pick<DiscordMessage, 'components' | 'content'>): string =>
  [content, ...listComponents(components as Component[]).map((one) => one.content ?? '')].filter(Boolean).join('\n')
