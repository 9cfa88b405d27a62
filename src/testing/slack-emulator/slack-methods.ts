export type SlackCall = { method: string; token: string; args: Record<string, unknown> }

export type SlackMessage = {
  channel: string
  ts: string
  thread_ts?: string
  text: string
  blocks: readonly object[]
  isPinned: boolean
  isDeleted: boolean
}

export type SlackState = {
  token: string
  appToken: string
  botId: string
  url: string
  messages: SlackMessage[]
  /** Messages of people. */
  said: { channel: string; ts: string; user: string; text: string; thread_ts?: string; files?: object[] }[]
  reactions: { channel: string; ts: string; name: string; users: string[] }[]
  ephemerals: { channel: string; user: string; text: string }[]
  files: Map<string, { name: string; bytes: Buffer }>
  people: Map<string, string>
  clock: number
  /** Requests that Slack would refuse as malformed. */
  failures: string[]
}

type Result = { ok: boolean; error?: string; [field: string]: unknown }

/** One method of the Web API, with the errors that Slack gives. */
export function slackMethods(state: SlackState, { method, token, args }: SlackCall): Result {
  if (token !== (method === 'apps.connections.open' ? state.appToken : state.token)) return fault('invalid_auth')
  const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '')
  const channel = text('channel')
  const find = (ts: string): SlackMessage | undefined =>
    state.messages.find((one) => one.channel === channel && one.ts === ts && !one.isDeleted)
  switch (method) {
    case 'auth.test':
      return { ok: true, user: 'parley', user_id: state.botId, team: 'Loopback', team_id: 'T0' }
    case 'apps.connections.open':
      return { ok: true, url: `${state.url.replace('http', 'ws')}/socket` }
    case 'users.info':
      return { ok: true, user: { id: text('user'), real_name: state.people.get(text('user')) ?? text('user'), locale: 'en-US' } }
    case 'conversations.open':
      return { ok: true, channel: { id: `D${text('users').slice(1)}` } }
    case 'files.info': {
      const file = state.files.get(text('file'))
      if (!file) return fault('file_not_found')
      return { ok: true, file: { name: file.name, size: file.bytes.length, url_private_download: `${state.url}/files/${text('file')}` } }
    }
    case 'chat.postMessage':
    case 'chat.update':
      return write(state, method, args)
    case 'chat.postEphemeral':
      state.ephemerals.push({ channel, user: text('user'), text: text('text') })
      return { ok: true, message_ts: `${(state.clock += 1)}.000300` }
    case 'chat.delete': {
      const message = find(text('ts'))
      if (!message) return fault('message_not_found')
      message.isDeleted = true
      return { ok: true, channel, ts: message.ts }
    }
    case 'pins.add':
    case 'pins.remove': {
      const message = find(text('timestamp'))
      if (!message) return fault('message_not_found')
      if (message.isPinned === (method === 'pins.add')) return fault(method === 'pins.add' ? 'already_pinned' : 'no_pin')
      message.isPinned = method === 'pins.add'
      return { ok: true }
    }
    case 'conversations.history':
    case 'conversations.replies':
      return listMessages(state, method, args)
    case 'reactions.add':
    case 'reactions.remove':
    case 'reactions.get':
      return react(state, method, { channel, ts: text('timestamp'), name: text('name') })
    default:
      state.failures.push(`there is no method ${method}`)
      return fault('unknown_method')
  }
}

/** A channel is listed from its newest message, a thread from its first one. */
function listMessages(state: SlackState, method: string, args: Record<string, unknown>): Result {
  const { channel, ts: root, latest, oldest, cursor = '0' } = args as Record<string, string | undefined>
  const limit = Number(args['limit'] ?? 100)
  const isInclusive = String(args['inclusive']) === 'true'
  if (!channel || /^[UW]/.test(channel)) return fault('channel_not_found')
  const own = state.messages
    .filter((one) => !one.isDeleted)
    .map(({ channel: where, ts, text, thread_ts }) => ({ channel: where, ts, text, user: state.botId, bot_id: 'B0BOT', thread_ts }))
  const messages = [...own, ...state.said]
    .filter((one) => one.channel === channel)
    .filter(({ ts, thread_ts: thread }) => (root === undefined ? thread === undefined || thread === ts : thread === root || ts === root))
    .filter(({ ts }) => latest === undefined || Number(ts) < Number(latest) || (isInclusive && ts === latest))
    .filter(({ ts }) => oldest === undefined || Number(ts) > Number(oldest) || (isInclusive && ts === oldest))
    .toSorted((one, other) => Number(one.ts) - Number(other.ts))
  const sorted = method === 'conversations.history' ? messages.toReversed() : messages
  const end = Number(cursor) + limit
  const hasMore = end < sorted.length
  return {
    ok: true,
    messages: sorted.slice(Number(cursor), end).map((one) => ({ type: 'message', ...one })),
    has_more: hasMore,
    ...(hasMore && { response_metadata: { next_cursor: String(end) } }),
  }
}

function react(state: SlackState, method: string, { channel, ts, name }: { channel: string; ts: string; name: string }): Result {
  const message = [...state.messages.filter((one) => !one.isDeleted), ...state.said].find((one) => one.channel === channel && one.ts === ts)
  if (!message) return fault('message_not_found')
  const reactions = state.reactions.filter((one) => one.channel === channel && one.ts === ts)
  if (method === 'reactions.get') {
    const list = reactions
      .filter(({ users }) => users.length > 0)
      .map((one) => ({ name: one.name, users: one.users, count: one.users.length }))
    return { ok: true, type: 'message', channel, message: { type: 'message', ts, ...(list.length > 0 && { reactions: list }) } }
  }
  if (!/^[\w+-]+$/.test(name)) return fault('invalid_name')
  const existing = reactions.find((one) => one.name === name)
  const isAdded = existing?.users.includes(state.botId) ?? false
  if (isAdded === (method === 'reactions.add')) return fault(isAdded ? 'already_reacted' : 'no_reaction')
  if (existing && isAdded) existing.users = existing.users.filter((user) => user !== state.botId)
  else if (existing) existing.users.push(state.botId)
  else state.reactions.push({ channel, ts, name, users: [state.botId] })
  return { ok: true }
}

function write(state: SlackState, method: string, args: Record<string, unknown>): Result {
  const { channel, text, ts, thread_ts: thread } = args as { channel?: string; text?: string; ts?: string; thread_ts?: string }
  const blocks = (args['blocks'] ?? []) as {
    type: string
    block_id?: string
    text?: { text?: string }
    elements?: { action_id?: string }[]
  }[]
  const problem = findProblem(blocks)
  if (problem !== null) {
    state.failures.push(`${method}: ${problem}`)
    return fault('invalid_blocks')
  }
  if (!channel || /^[UW]/.test(channel)) return fault('channel_not_found')
  if (method === 'chat.update') {
    const message = state.messages.find((one) => one.channel === channel && one.ts === ts && !one.isDeleted)
    if (!message) return fault('message_not_found')
    Object.assign(message, { text: text ?? '', blocks })
    return { ok: true, channel, ts: message.ts }
  }
  const newMessage: SlackMessage = {
    channel,
    ts: `${(state.clock += 1)}.000200`,
    text: text ?? '',
    blocks,
    isPinned: false,
    isDeleted: false,
    ...(thread !== undefined && { thread_ts: thread }),
  }
  state.messages.push(newMessage)
  return { ok: true, channel, ts: newMessage.ts, message: newMessage }
}

/** Rules of Block Kit that Slack checks and the library does not. */
function findProblem(
  blocks: readonly { type: string; block_id?: string; text?: { text?: string }; elements?: { action_id?: string }[] }[],
): string | null {
  if (blocks.length > 50) return `${blocks.length} blocks`
  const ids = blocks.flatMap(({ block_id: id }) => (id === undefined ? [] : [id]))
  if (new Set(ids).size !== ids.length) return 'a block_id occurs twice'
  for (const { type, text, elements = [] } of blocks) {
    if (type === 'section' && ((text?.text ?? '').length === 0 || (text?.text ?? '').length > 3_000)) return 'the text of a section'
    if (type === 'actions' && (elements.length === 0 || elements.length > 25)) return `${elements.length} elements`
    const actions = elements.flatMap(({ action_id: id }) => (id === undefined ? [] : [id]))
    if (new Set(actions).size !== actions.length) return 'an action_id occurs twice in its block'
  }
  return null
}

const fault = (error: string): Result => ({ ok: false, error })
