export type MattermostPost = {
  id: string
  channel_id: string
  user_id: string
  root_id: string
  message: string
  props: Props
  file_ids: string[]
  create_at: number
  update_at: number
  edit_at: number
  delete_at: number
  is_pinned: boolean
  type: string
  pending_post_id: string
  metadata: { files: FileInfo[] }
}

export type FileInfo = { id: string; name: string; size: number; mime_type: string }
export type Person = { id: string; username: string; nickname: string; locale: string }
export type Channel = { id: string; type: 'O' | 'D'; name: string; team_id: string; last_post_at: number }

type Context = Record<string, unknown>

/** A block of Mattermost Blocks as the emulator reads it. */
export type Block = {
  type: string
  text?: string
  action_id?: string
  disabled?: boolean
  content?: Block[]
  options?: { text: string; value: string }[]
}

export type Attachment = {
  text?: string
  actions?: {
    id: string
    name: string
    type: string
    disabled?: boolean
    options?: { text: string; value: string }[]
    integration: { url: string; context: Context }
  }[]
}

export type Props = {
  mm_blocks?: Block[]
  mm_blocks_actions?: Record<string, { type: string; url: string; context?: Context }>
  attachments?: Attachment[]
  [name: string]: unknown
}

export type MattermostState = {
  token: string
  bot: Person
  /** Mattermost Blocks are known to this server. */
  hasBlocks: boolean
  /** The bot may show posts to one person. */
  isAdmin: boolean
  publicKey: string
  posts: MattermostPost[]
  channels: Map<string, Channel>
  people: Map<string, Person>
  files: Map<string, FileInfo & { bytes: Buffer }>
  reactions: { user_id: string; post_id: string; emoji_name: string; create_at: number }[]
  ephemerals: { user: string; channel: string; text: string }[]
  typing: string[]
  /** Requests that Mattermost would refuse, or show otherwise than they say. */
  failures: string[]
  /** A time later than all before. */
  now(): number
  nextId(): string
  emit(event: string, data: object, broadcast: object): void
}

export type MattermostCall = {
  method: string
  /** Without the version of the API. */
  path: string
  query: URLSearchParams
  token: string
  body: unknown
  files: readonly { name: string; bytes: Buffer }[]
}

export const listBlocks = (blocks: readonly Block[]): Block[] => blocks.flatMap((one) => [one, ...listBlocks(one.content ?? [])])

/** The words of a post, in their order. */
export const joinWords = ({ message, props }: Pick<MattermostPost, 'message' | 'props'>): string =>
  [
    message,
    ...listBlocks(props.mm_blocks ?? []).map((one) => (one.type === 'text' ? (one.text ?? '') : '')),
    ...(props.attachments ?? []).map(({ text = '' }) => text),
  ]
    .filter((text) => text !== '')
    .join('\n')

export type Control = { url: string; context: Context; type: 'button' | 'select'; selected?: string }

/** Controls of a post by their labels. A select has one for each option. */
export function listControls({ props }: Pick<MattermostPost, 'props'>): Map<string, Control> {
  const controls = new Map<string, Control>()
  for (const { text, action_id: id = '', disabled, options } of listBlocks(props.mm_blocks ?? [])) {
    const action = props.mm_blocks_actions?.[id]
    if (!action || action.type !== 'external' || disabled) continue
    const { url, context = {} } = action
    if (options) for (const option of options) controls.set(option.text, { url, context, type: 'select', selected: option.value })
    else controls.set((text ?? '').replaceAll('\\', ''), { url, context, type: 'button' })
  }
  for (const { name, disabled, options, integration } of (props.attachments ?? []).flatMap(({ actions = [] }) => actions)) {
    if (disabled) continue
    if (options) for (const option of options) controls.set(option.text, { ...integration, type: 'select', selected: option.value })
    else controls.set(name, { ...integration, type: 'button' })
  }
  return controls
}
