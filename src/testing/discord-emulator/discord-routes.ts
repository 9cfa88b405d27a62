import { type Component, type DiscordCall, type DiscordMessage, type DiscordState, listComponents } from './discord-state.ts'

type Answer = { status: number; body?: unknown }

const ok = (body: unknown): Answer => ({ status: 200, body })
const noContent: Answer = { status: 204 }
const fault = (status: number, code: number, message: string): Answer => ({ status, body: { code, message } })

const componentsV2 = 32_768
const ephemeral = 64

/** One request to the HTTP API, version 10, with the errors that Discord gives. */
export function discordRoutes(state: DiscordState, call: DiscordCall): Answer {
  const { method, path } = call
  const [, interaction, token] = /^\/interactions\/(\d+)\/([^/]+)\/callback$/.exec(path) ?? []
  if (interaction !== undefined) return answerInteraction(state, token ?? '', call.body)
  const [, hook] = /^\/webhooks\/\d+\/([^/]+)$/.exec(path) ?? []
  if (hook !== undefined) return followUp(state, hook, call.body)
  if (call.token !== state.token) return fault(401, 0, '401: Unauthorized')
  if (path === '/users/@me') return ok({ id: state.botId, username: 'parley', bot: true })
  if (path === '/gateway/bot') {
    const limit = { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 }
    return ok({ url: state.url.replace('http', 'ws'), shards: 1, session_start_limit: limit })
  }
  if (path === '/users/@me/channels') return openDirect(state, String(call.body['recipient_id']))
  const [, channel = '', rest = ''] = /^\/channels\/(\d+)(\/.*)?$/.exec(path) ?? []
  const place = state.channels.get(channel)
  if (!place) return fault(404, 10_003, 'Unknown Channel')
  if (rest === '' && method === 'GET') return ok(place)
  if (rest === '/typing') {
    state.typing.push(channel)
    return noContent
  }
  if (rest === '/messages') return method === 'GET' ? list(state, channel, call.query) : create(state, channel, call)
  return onMessage(state, channel, rest, call)
}

function openDirect(state: DiscordState, recipient: string): Answer {
  const existing = [...state.channels.values()].find((one) => one.recipient === recipient)
  const channel = existing ?? { id: state.nextId(), type: 1, recipient }
  state.channels.set(channel.id, channel)
  return ok(channel)
}

function list(state: DiscordState, channel: string, query: URLSearchParams): Answer {
  const after = BigInt(query.get('after') ?? '0')
  const before = query.get('before')
  const limit = Number(query.get('limit') ?? 50)
  if (!(limit >= 1 && limit <= 100)) return refuse(state, `a limit of ${limit}`)
  const matches = state.messages
    .filter((one) => one.channel_id === channel && !one.isDeleted && BigInt(one.id) > after)
    .filter((one) => before === null || BigInt(one.id) < BigInt(before))
  // After an id they are those next to it, else the newest; in both cases the newest comes first.
  return ok((query.has('after') ? matches.slice(0, limit) : matches.slice(-limit)).toReversed())
}

function create(state: DiscordState, channel: string, call: DiscordCall): Answer {
  const { nonce, message_reference: reference } = call.body as { nonce?: string; message_reference?: { message_id: string } }
  const earlierMessage =
    call.body['enforce_nonce'] === true && state.messages.find((one) => one.nonce === nonce && one.channel_id === channel)
  if (earlierMessage) return ok(earlierMessage)
  const problem = findProblem(call)
  if (problem !== null) return refuse(state, `create message: ${problem}`)
  const message: DiscordMessage = {
    id: state.nextId(),
    channel_id: channel,
    ...readContent(state, call),
    ...(nonce !== undefined && { nonce }),
    ...(call.body['poll'] !== undefined && { poll: call.body['poll'] as object }),
    ...(reference && { message_reference: reference }),
    author: { id: state.botId, username: 'parley', bot: true },
    content: '',
    type: reference ? 19 : 0,
    isPinned: false,
    isDeleted: false,
    reactions: [],
  }
  state.messages.push(message)
  return ok(message)
}

function readContent(state: DiscordState, { body, files }: DiscordCall): Pick<DiscordMessage, 'components' | 'flags' | 'attachments'> {
  const attachments = files.map(({ name, bytes }) => {
    const id = state.nextId()
    state.files.set(id, bytes)
    return { id, filename: name, size: bytes.length, url: `${state.url}/cdn/${id}` }
  })
  return { components: (body['components'] ?? []) as object[], flags: Number(body['flags'] ?? 0), attachments }
}

function onMessage(state: DiscordState, channel: string, rest: string, call: DiscordCall): Answer {
  const [, isPins, id, emoji, isOwn] = /^\/messages\/(pins\/)?(\d+)(?:\/reactions\/([^/]+)(\/@me)?)?$/.exec(rest) ?? []
  const message = state.messages.find((one) => one.id === id && one.channel_id === channel && !one.isDeleted)
  if (id === undefined) return refuse(state, `there is no route ${call.method} ${rest}`)
  if (!message) return fault(404, 10_008, 'Unknown Message')
  if (isPins !== undefined) {
    message.isPinned = call.method === 'PUT'
    return noContent
  }
  if (emoji !== undefined) {
    const name = decodeURIComponent(emoji)
    if (isOwn === undefined) return ok(listReactions(state, message).get(name) ?? [])
    message.reactions = message.reactions.filter((one) => one !== name)
    if (call.method === 'PUT') message.reactions.push(name)
    return noContent
  }
  if (call.method === 'GET')
    return ok({
      ...message,
      reactions: [...listReactions(state, message)].map(([name, people]) => ({
        me: message.reactions.includes(name),
        emoji: { id: null, name },
        count: people.length,
      })),
    })
  if (message.author.id !== state.botId && call.method === 'PATCH')
    return fault(403, 50_005, 'Cannot edit a message authored by another user')
  if (call.method === 'DELETE') {
    message.isDeleted = true
    return noContent
  }
  const problem = findProblem(call)
  if (problem !== null) return refuse(state, `update message: ${problem}`)
  Object.assign(message, readContent(state, call))
  return ok(message)
}

function listReactions(state: DiscordState, { reactions, others = [] }: DiscordMessage): Map<string, { id: string }[]> {
  const people = new Map<string, { id: string }[]>()
  for (const { name, user } of [...reactions.map((one) => ({ name: one, user: state.botId })), ...others])
    people.set(name, [...(people.get(name) ?? []), { id: user }])
  return people
}

function refuse(state: DiscordState, why: string): Answer {
  state.failures.push(why)
  return fault(400, 50_035, `Invalid Form Body: ${why}`)
}

function answerInteraction(state: DiscordState, token: string, body: Record<string, unknown>): Answer {
  const interaction = state.interactions.get(token)
  if (!interaction) return fault(404, 10_062, 'Unknown interaction')
  if (interaction.isAnswered) return fault(400, 40_060, 'Interaction has already been acknowledged.')
  interaction.isAnswered = true
  if (body['type'] === 4) noteEphemeral(state, interaction, body['data'] as Record<string, unknown>)
  else if (body['type'] !== 6) return refuse(state, `a response of type ${String(body['type'])}`)
  return noContent
}

function followUp(state: DiscordState, token: string, body: Record<string, unknown>): Answer {
  const interaction = state.interactions.get(token)
  if (!interaction?.isAnswered) return fault(404, 10_015, 'Unknown Webhook')
  noteEphemeral(state, interaction, body)
  return ok({ id: state.nextId() })
}

export function noteEphemeral(
  state: DiscordState,
  { user, channel }: { user: string; channel: string },
  { content, flags }: Record<string, unknown>,
): void {
  if (Number(flags) !== ephemeral || typeof content !== 'string' || content === '' || content.length > 2_000)
    state.failures.push(`a message for one person: ${JSON.stringify({ content, flags })}`)
  state.ephemerals.push({ user, channel, text: String(content) })
}

type Poll = { question?: { text?: string }; answers?: { poll_media?: { text?: string } }[]; duration?: number }

/** D resources/poll. */
function findPollProblem({ question, answers = [], duration = 24 }: Poll, hasMore: boolean): string | null {
  if (hasMore) return 'a poll beside something else'
  const fits = (text: string | undefined, limit: number): boolean => text !== undefined && text.length > 0 && text.length <= limit
  if (!fits(question?.text, 300)) return 'the question of a poll'
  if (answers.length === 0 || answers.length > 10 || !answers.every((one) => fits(one.poll_media?.text, 55))) return 'the answers of a poll'
  return Number.isInteger(duration) && duration >= 1 && duration <= 768 ? null : `a poll of ${duration} hours`
}

/** Rules of Components V2 that Discord checks and the library does not. */
function findProblem({ body, files }: DiscordCall): string | null {
  const { components = [], flags = 0, content } = body as { components?: Component[]; flags?: number; content?: string }
  if (body['poll'] !== undefined)
    return findPollProblem(body['poll'] as Poll, components.length > 0 || content !== undefined || (flags & componentsV2) !== 0)
  if ((flags & componentsV2) === 0) return 'a message without Components V2'
  if (content !== undefined) return 'content beside Components V2'
  const all = listComponents(components)
  if (all.length === 0 || all.length > 40) return `${all.length} components`
  const texts = all.flatMap((one) => [
    one.content ?? '',
    one.label ?? '',
    one.placeholder ?? '',
    ...(one.options ?? []).map(({ label }) => label),
  ])
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > 4_000) return `${length} characters`
  if (all.some((one) => one.type === 10 && (one.content ?? '').trim() === '')) return 'an empty text'
  const ids = all.flatMap(({ custom_id: id }) => id ?? [])
  if (new Set(ids).size !== ids.length) return 'a custom_id occurs twice'
  if (ids.some((id) => id.length > 100)) return 'a long custom_id'
  for (const { options = [] } of all)
    if (new Set(options.map(({ value }) => value)).size !== options.length) return 'an option occurs twice'
  const urls = all.flatMap(({ file, items = [] }) => [...(file ? [file.url] : []), ...items.map(({ media }) => media.url)])
  const lost = urls.find((url) => url.startsWith('attachment://') && !files.some(({ name }) => url === `attachment://${name}`))
  return lost === undefined ? null : `there is no ${lost}`
}
