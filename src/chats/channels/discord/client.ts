import type { ReadFile } from '../../../ports/channel-kind.ts'
import type { InboundFile, PaceHint, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { atMost } from '../at-most.ts'
import { refuse } from '../failure.ts'
import { fetchFile } from '../fetch-file.ts'
import type { DiscordConfig } from './config.ts'
import { toFailure } from './failure.ts'
import { discordLimits } from './limits.ts'

/** The only file that imports the libraries of Discord. They are loaded with the first account. */

export const discordClientLimits = { callTimeoutMs: 30_000, downloadBytes: 20 * 1024 * 1024 } as const

/** A session of one shard, which Discord resumes with the events after `sequence`. */
export type Session = { sessionId: string; resumeURL: string; sequence: number; shardId: number; shardCount: number }

export type GatewayEvent = { name: string; data: unknown; sequence: number; shard: number }

export type GatewayHandlers = {
  /** Sessions to resume, by shard. The library writes newer ones into it. */
  sessions: Map<number, Session>
  onEvent(event: GatewayEvent): void
  onState(isConnected: boolean): void
  /** The library has given up, in words for people. */
  onEnd(problem: string): void
}

export type DiscordClient = {
  /** One call. Throws nothing: a failure is a value. */
  call(
    request: PlatformRequest,
    signal?: AbortSignal,
  ): Promise<{ result: Record<string, unknown>; pace?: PaceHint } | { failure: SendFailure }>
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
  /** Opens the gateway. It connects again until it is stopped; a stop leaves the sessions resumable. */
  listen(handlers: GatewayHandlers): { stop(): Promise<void> }
}

/** Operations as the OpenAPI description of Discord names them. */
const routes: Readonly<Record<string, readonly [method: string, path: string]>> = {
  get_my_user: ['GET', '/users/@me'],
  get_channel: ['GET', '/channels/{channel_id}'],
  list_messages: ['GET', '/channels/{channel_id}/messages'],
  get_message: ['GET', '/channels/{channel_id}/messages/{message_id}'],
  list_message_reactions_by_emoji: ['GET', '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}'],
  create_dm: ['POST', '/users/@me/channels'],
  create_message: ['POST', '/channels/{channel_id}/messages'],
  update_message: ['PATCH', '/channels/{channel_id}/messages/{message_id}'],
  delete_message: ['DELETE', '/channels/{channel_id}/messages/{message_id}'],
  create_pin: ['PUT', '/channels/{channel_id}/messages/pins/{message_id}'],
  delete_pin: ['DELETE', '/channels/{channel_id}/messages/pins/{message_id}'],
  add_my_message_reaction: ['PUT', '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me'],
  delete_my_message_reaction: ['DELETE', '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me'],
  trigger_typing_indicator: ['POST', '/channels/{channel_id}/typing'],
  create_interaction_response: ['POST', '/interactions/{interaction_id}/{interaction_token}/callback'],
  execute_webhook: ['POST', '/webhooks/{webhook_id}/{webhook_token}'],
}

/** D topics/gateway: servers, messages and reactions there and in direct messages, and the text of messages. */
const intents = (1 << 0) | (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13) | (1 << 15)

/** A close code after which Discord keeps the session: D topics/gateway, all but 1000 and 1001. */
const keepSession = 4_200

type Upload = { name: string; data: Uint8Array }

export async function discordClient({ token = '', apiRoot }: DiscordConfig, readFile: ReadFile): Promise<DiscordClient> {
  const { REST } = await import('@discordjs/rest')
  const root = apiRoot?.replace(/(?<!\/)\/+$/, '')
  // The outbox retries, and it alone knows what may be repeated.
  const rest = new REST({
    version: '10',
    retries: 0,
    rejectOnRateLimit: () => true,
    timeout: discordClientLimits.callTimeoutMs,
    ...(root !== undefined && { api: root }),
  }).setToken(token || 'none')
  const secrets = [token]

  const call: DiscordClient['call'] = async ({ operation, path = {}, query, body }, signal) => {
    const [method, template] = routes[operation] ?? []
    if (!method || !template) return { failure: refuse(`there is no operation ${operation}`) }
    try {
      const filled = body && (await withUploads(body, readFile))
      if (filled && 'failure' in filled) return filled
      const response = await rest.queueRequest({
        method: method as never,
        fullRoute: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')) as `/${string}`,
        ...(query && { query: new URLSearchParams(query) }),
        ...(filled && { body: filled.body, files: filled.files }),
        ...(signal && { signal }),
        // The token of an interaction proves itself.
        ...((operation === 'create_interaction_response' || operation === 'execute_webhook') && { auth: false }),
      })
      const result: unknown = response.status === 204 ? {} : await response.json()
      const pace = paceIn(response.headers)
      return { result: Array.isArray(result) ? { items: result } : isRecord(result) ? result : {}, ...(pace && { pace }) }
    } catch (error) {
      return { failure: toFailure(error, operation, secrets) }
    }
  }

  return {
    call,
    async download(fileId, signal) {
      const [channel = '', message = '', attachment = ''] = fileId.split('/')
      const answer = await call({ operation: 'get_message', path: { channel_id: channel, message_id: message } }, signal)
      if ('failure' in answer) return answer
      const files = (answer.result['attachments'] ?? []) as { id?: string; url?: string; filename?: string; size?: number }[]
      const file = files.find(({ id }) => id === attachment)
      if (file?.url === undefined) return { failure: refuse('the file is not there any more', 'gone') }
      const { url, filename: name, size } = file
      if ((size ?? 0) > discordClientLimits.downloadBytes) return { failure: refuse(`the file has ${size} bytes`, 'too_large') }
      try {
        const response = await fetchFile(url, { apiRoot: root ?? 'https://discord.com', signal })
        if (!response?.ok || !response.body) return { failure: refuse('the file is not there any more', 'gone') }
        const body = response.body.pipeThrough(atMost(discordClientLimits.downloadBytes))
        return { file: { body, ...(name !== undefined && { name }), ...(size !== undefined && { sizeBytes: size }) } }
      } catch (error) {
        return { failure: toFailure(error, 'get_message', secrets) }
      }
    },
    listen({ sessions, onEvent, onState, onEnd }) {
      let isStopped = false
      let stopNow: (() => Promise<void>) | null = null
      const end = (problem: string): void => void (isStopped || onEnd(problem))
      async function connect(): Promise<void> {
        const { WebSocketManager, WebSocketShardEvents: on } = await import('@discordjs/ws')
        const manager = new WebSocketManager({
          token,
          intents,
          rest,
          retrieveSessionInfo: (shard) => sessions.get(shard) ?? null,
          updateSessionInfo(shard, session) {
            if (isStopped) return
            if (session) sessions.set(shard, session)
            else sessions.delete(shard)
          },
        })
        stopNow = async () => {
          await manager.destroy({ code: keepSession, reason: 'the account is closed' })
        }
        manager.on(on.Dispatch, ({ t: name, d: data, s: sequence }, shard) => void (isStopped || onEvent({ name, data, sequence, shard })))
        manager.on(on.Ready, () => void (isStopped || onState(true)))
        manager.on(on.Resumed, () => void (isStopped || onState(true)))
        manager.on(on.Closed, () => void (isStopped || onState(false)))
        manager.on(on.SocketError, () => void (isStopped || onState(false)))
        manager.on(on.Error, (error) => end(explain(error.message)))
        if (!isStopped) await manager.connect()
      }
      void connect().catch((error: unknown) => end(toFailure(error, 'get_gateway', secrets).why))
      return {
        async stop() {
          isStopped = true
          await stopNow?.()
        },
      }
    },
  }
}

/** Errors after which the library does not connect again. */
const explain = (message: string): string =>
  /disallowed intents/i.test(message)
    ? 'Discord refuses to show the text of messages. Switch on "Message Content Intent" under Bot in the developer portal.'
    : /authentication failed/i.test(message)
      ? 'Discord refuses the token. Reset it under Bot in the developer portal, and run "parley channels add discord".'
      : `the gateway was closed (${message})`

/** D topics/rate-limits: each response tells how many requests its bucket still takes. */
function paceIn(headers: { get(name: string): string | null }): PaceHint | undefined {
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN)
  const resetAfterMs = Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN) * 1_000
  return Number.isFinite(remaining) && Number.isFinite(resetAfterMs) ? { scope: 'address', remaining, resetAfterMs } : undefined
}

/**
 * The body with the files of this machine as attachments. They are read at the last moment, so that a request stays plain
 * JSON until then.
 */
async function withUploads(
  body: Record<string, unknown>,
  readFile: ReadFile,
): Promise<{ body: Record<string, unknown>; files: Upload[] } | { failure: SendFailure }> {
  const files: Upload[] = []
  let failure: SendFailure | null = null

  async function upload(url: string): Promise<string> {
    const read = await readFile(url)
    if ('problem' in read) failure = refuse(read.problem)
    else if (read.bytes.length > discordLimits.uploadBytes)
      failure = {
        ...refuse(`${read.name} has ${read.bytes.length} bytes; Discord takes ${discordLimits.uploadBytes}`),
        code: 'too_large',
      }
    else {
      // Discord renames files with other characters, and the reference would not find them.
      const name = `${files.length}-${read.name.replaceAll(/[^\w.-]/g, '_')}`
      files.push({ name, data: read.bytes })
      return `attachment://${name}`
    }
    return url
  }

  async function fill(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) {
      const filled: unknown[] = []
      for (const one of value as unknown[]) filled.push(await fill(one))
      return filled
    }
    if (!isRecord(value)) return value
    const filled: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(value))
      filled[key] = key === 'url' && typeof one === 'string' && one.startsWith('file:') ? await upload(one) : await fill(one)
    return filled
  }

  const components = await fill(body['components'])
  if (failure) return { failure }
  if (files.length === 0) return { body, files }
  const attachments = files.map(({ name }, index) => ({ id: String(index), filename: name }))
  return { body: { ...body, components, attachments }, files }
}
