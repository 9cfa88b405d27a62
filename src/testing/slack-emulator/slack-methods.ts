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
    default:
      state.failures.push(`there is no method ${method}`)
      return fault('unknown_method')
  }
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
