import type { Cursor, OpenParts } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { type Clock, pauseFor } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import { isRecord } from '../../../shapes/record.ts'
import { connectLimits } from '../open-account.ts'
import type { DiscordClient, GatewayEvent, Session } from './client.ts'
import type { DiscordEvent } from './parse.ts'

export const gatewayLimits = {
  /** Events that were received and are not stored yet. With more, the connection is closed and resumed later. */
  pending: 5_000,
  /** Chats whose last message is known, the latest ones. */
  chats: 200,
  /** Messages fetched for each of them after a lost session. */
  missedPages: 5,
  messagesPerPage: 100,
  /** The first connection; a slower one is reported as a problem. */
  connectMs: 30_000,
  /** Events without a message after which the position is written nevertheless. */
  eventsPerWrite: 500,
} as const

type Chat = { channel: string; lastMessage: string; guild: string | null }

/** Position in the events: the sessions to resume, and the last message of each chat in case Discord has ended them. */
type Position = { self: string; sessions: Session[]; chats: Chat[] }

export type GatewayParts = {
  client: DiscordClient
  cursor: Cursor
  parse(event: DiscordEvent): Promise<Inbound[]>
  take: OpenParts['take']
  clock: Clock
  log: Log
  signal: AbortSignal
  /** After an event was stored. */
  onStored(event: DiscordEvent): void
  onSelf(id: string): void
  report(problem: string | null): void
}

/**
 * Reads the gateway. Discord does not wait for an acknowledgement: it resumes a session after a number that the client names.
 * The number is written after the events before it are stored, so a crash repeats events and loses none.
 */
export async function readGateway(parts: GatewayParts): Promise<{ stop(): Promise<void> } | { problem: string }> {
  const { client, cursor, clock, log, signal } = parts
  const position = parsePosition(await cursor.read())
  const writing = coalesced(() => cursor.write(JSON.stringify(position)))
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  async function catchUp(): Promise<void> {
    for (const chat of position.chats) {
      for (let page = 0; page < gatewayLimits.missedPages; page += 1) {
        const query = { after: chat.lastMessage, limit: String(gatewayLimits.messagesPerPage) }
        const answer = await client.call({ operation: 'list_messages', path: { channel_id: chat.channel }, query })
        if ('failure' in answer) {
          if (answer.failure.retryable) throw new Error(answer.failure.why)
          break
        }
        const items = (Array.isArray(answer.result['items']) ? (answer.result['items'] as unknown[]) : []).filter(isRecord)
        // Discord lists the newest first.
        for (const message of items.toReversed())
          await store({ name: 'MESSAGE_CREATE', data: { ...message, ...(chat.guild !== null && { guild_id: chat.guild }) } })
        if (items.length < gatewayLimits.messagesPerPage) break
      }
    }
  }

  async function store(event: DiscordEvent): Promise<boolean> {
    const inbounds = await parts.parse(event)
    if (inbounds.length > 0) await parts.take(inbounds)
    parts.onStored(event)
    noteChat(position, event)
    return inbounds.length > 0
  }

  let sinceWrite = 0
  async function handle({ name, data, sequence, shard }: GatewayEvent, sessions: Map<number, Session>): Promise<void> {
    if (!isRecord(data)) return
    if (name === 'READY') {
      const self = isRecord(data['user']) && typeof data['user']['id'] === 'string' ? data['user']['id'] : ''
      parts.onSelf(self)
      // A new session begins now: what came before it is fetched.
      if (position.self === self) await catchUp()
      else Object.assign(position, { self, sessions: [], chats: [] })
    }
    const isStored = await store({ name, data })
    const session = sessions.get(shard)
    if (session) position.sessions = [...position.sessions.filter(({ shardId }) => shardId !== shard), { ...session, sequence }]
    sinceWrite += 1
    if (!isStored && name !== 'READY' && sinceWrite < gatewayLimits.eventsPerWrite) return
    sinceWrite = 0
    writing.ask()
  }

  /** One connection, until it ends or is stopped. Resolves with the problem that ended it. */
  async function connectOnce(onOpen: () => void): Promise<string | null> {
    const ended = Promise.withResolvers<string | null>()
    const sessions = new Map(position.sessions.map((session) => [session.shardId, session]))
    let pending = 0
    let last: Promise<void> = Promise.resolve()
    let isOver = false
    const end = (problem: string | null): void => {
      isOver = true
      ended.resolve(problem)
    }
    const connection = client.listen({
      sessions,
      onEvent(event) {
        if (isOver) return
        if (pending >= gatewayLimits.pending) return end('more events came in than can be stored. Retrying.')
        pending += 1
        last = last
          .then(() => (isOver ? undefined : handle(event, sessions)))
          .catch((error: unknown) => {
            log('warn', 'an event of Discord could not be stored', { error })
            end('an event could not be stored. Retrying.')
          })
          .finally(() => (pending -= 1))
      },
      onState(isConnected) {
        if (isConnected) onOpen()
        parts.report(isConnected ? null : 'the gateway was closed. Retrying.')
      },
      onEnd: end,
    })
    const cancel = (): void => end(null)
    stopping.signal.addEventListener('abort', cancel, { once: true })
    if (stopping.signal.aborted) cancel()
    const problem = await ended.promise
    stopping.signal.removeEventListener('abort', cancel)
    await connection.stop().catch((error: unknown) => log('info', 'the gateway could not be closed', { error }))
    await last
    return problem
  }

  const opened = Promise.withResolvers<string | null>()
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const problem = await connectOnce(() => opened.resolve(null))
      if (problem === null) break
      opened.resolve(problem)
      parts.report(problem)
      await pauseFor(clock, connectLimits.retryMs, stopping.signal)
    }
    opened.resolve('it was stopped')
    await writing.finished()
  }
  const running = run()
  const finish = async (): Promise<void> => {
    signal.removeEventListener('abort', stop)
    stop()
    await running
  }
  const cancelLate = clock.after(gatewayLimits.connectMs, () => opened.resolve('the gateway of Discord does not answer. Retrying.'))
  const problem = await opened.promise
  cancelLate()
  if (problem === null) return { stop: finish }
  await finish()
  return { problem }
}

/** Notes the last message of a chat that people wrote in. */
function noteChat(position: Position, { name, data }: DiscordEvent): void {
  const { id, channel_id: channel, guild_id: guild } = data
  if (name !== 'MESSAGE_CREATE' || typeof id !== 'string' || typeof channel !== 'string') return
  const chat: Chat = { channel, lastMessage: id, guild: typeof guild === 'string' ? guild : null }
  position.chats = [...position.chats.filter((one) => one.channel !== channel), chat].slice(-gatewayLimits.chats)
}

function parsePosition(text: string | null): Position {
  try {
    const read = JSON.parse(text ?? '') as Partial<Position>
    if (typeof read.self === 'string' && Array.isArray(read.sessions) && Array.isArray(read.chats)) return read as Position
  } catch {
    // It is made anew.
  }
  return { self: '', sessions: [], chats: [] }
}

/** Runs an action again when it was asked for meanwhile, never twice at a time. A failure is repeated with the next call. */
function coalesced(act: () => Promise<void>): { ask(): void; finished(): Promise<void> } {
  let isAsked = false
  let running: Promise<void> | null = null
  async function run(): Promise<void> {
    while (isAsked) {
      isAsked = false
      await act().catch(() => {})
    }
    running = null
  }
  return {
    ask() {
      isAsked = true
      running ??= run()
    },
    finished: async () => void (await running),
  }
}
