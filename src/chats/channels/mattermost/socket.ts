import type { OpenParts } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { pauseFor } from '../../../ports/clock.ts'
import { isRecord } from '../../../shapes/record.ts'
import { connectLimits } from '../open-account.ts'
import type { MattermostClient } from './client.ts'
import { type MattermostEvent, readJson } from './parse.ts'

export const socketLimits = {
  /** Events that were received and are not stored yet. With more, the connection is closed and opened later. */
  pending: 5_000,
  /** The first greeting; a slower server is reported as a problem. */
  connectMs: 30_000,
  /** Time between two signs of life. */
  pingMs: 30_000,
  /** Pause before the first retry; each further one is twice as long, up to that of accounts. */
  firstRetryMs: 1_000,
  /** Chats that are looked through after a pause, those with the newest posts. */
  chats: 500,
  /** Posts may become visible a little later than their time says, so the last seconds are fetched again. */
  overlapMs: 10_000,
} as const

export type SocketParts = Pick<OpenParts, 'take' | 'cursor' | 'clock' | 'log' | 'signal'> & {
  url: string
  token: string
  call: MattermostClient['call']
  parse(event: MattermostEvent): Promise<Inbound[]>
  parseMissed(post: Record<string, unknown>, times: { since: number; position: number }): Promise<Inbound[]>
  onChannel(channel: Record<string, unknown>): void
  report(problem: string | null): void
}

/**
 * Reads the socket. Mattermost repeats no event, but keeps every post: after a connection, posts since the newest one that
 * was stored are fetched from each chat of the bot. The time of that post is written after it is stored, so a crash repeats
 * posts and loses none.
 *
 * The socket of Node is used: that of the library confirms events before they are stored, and writes to the terminal.
 */
export async function readSocket(parts: SocketParts): Promise<{ stop(): Promise<void> } | { problem: string }> {
  const { call, cursor, clock, log, signal } = parts
  let { first, position } = parseCursor(await cursor.read())
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  async function advance(time: unknown): Promise<void> {
    if (typeof time !== 'number' || time <= position) return
    position = time
    if (first < 0) first = time
    await cursor.write(`${first}/${position}`)
  }

  async function list(operation: string, path = {}, query?: Record<string, string>): Promise<Record<string, unknown>> {
    const answer = await call({ operation, path, ...(query && { query }) }, stopping.signal)
    if ('failure' in answer) throw new Error(answer.failure.why)
    return answer.result
  }

  async function catchUp(): Promise<void> {
    const { items } = await list('GetChannelsForUser')
    const channels = (Array.isArray(items) ? (items as unknown[]) : []).filter(isRecord)
    for (const channel of channels) parts.onChannel(channel)
    const newest = channels.toSorted((a, b) => Number(b['last_post_at']) - Number(a['last_post_at']))
    const last = Number(newest[0]?.['last_post_at'] ?? 0)
    // With the first connection, everything before it is old.
    if (position < 0) return advance(last)
    const since = Math.max(position - socketLimits.overlapMs, first, 1)
    for (const { id, last_post_at: time } of newest.slice(0, socketLimits.chats)) {
      if (Number(time) <= since) break
      const page = await list('GetPostsForChannel', { channel_id: String(id) }, { since: String(since) })
      const posts = Object.values(isRecord(page['posts']) ? page['posts'] : {}).filter(isRecord)
      for (const post of posts.toSorted((a, b) => Number(a['create_at']) - Number(b['create_at']))) {
        const inbounds = await parts.parseMissed(post, { since, position })
        if (inbounds.length > 0) await parts.take(inbounds)
      }
    }
    await advance(last)
  }

  async function handle(event: MattermostEvent): Promise<void> {
    if (event.event === 'hello') {
      await catchUp()
      return parts.report(null)
    }
    const inbounds = await parts.parse(event)
    if (inbounds.length === 0) return
    await parts.take(inbounds)
    if (event.event === 'posted') await advance(readJson(event.data['post'])?.['create_at'])
  }

  /** One connection, until it ends or is stopped. Resolves with the problem that ended it. */
  async function connectOnce(onOpen: () => void): Promise<string | null> {
    const ended = Promise.withResolvers<string | null>()
    let pending = 0
    let last: Promise<void> = Promise.resolve()
    let expected = 0
    let requests = 0
    let isAlive = true
    let isOver = false
    const end = (problem: string | null): void => {
      isOver = true
      ended.resolve(problem)
    }
    const socket = new WebSocket(parts.url)
    const send = (action: string, data?: object): void =>
      socket.send(JSON.stringify({ seq: (requests += 1), action, ...(data && { data }) }))

    function receive(message: Record<string, unknown>): void {
      isAlive = true
      if (typeof message['event'] !== 'string') {
        if (message['status'] === 'FAIL' || isRecord(message['error'])) end('Mattermost refuses the token on the socket.')
        return
      }
      // A number that is missing is an event that is missing.
      if (message['seq'] !== expected) return end('an event was lost. Retrying.')
      expected += 1
      if (pending >= socketLimits.pending) return end('more events came in than can be stored. Retrying.')
      pending += 1
      const { event, data, broadcast } = message
      const isHello = event === 'hello'
      const step = { event, data: isRecord(data) ? data : {}, broadcast: isRecord(broadcast) ? broadcast : {} }
      last = last
        .then(() => (isOver ? undefined : handle(step)))
        .then(() => (isHello && !isOver ? onOpen() : undefined))
        .catch((error: unknown) => {
          log('warn', 'an event of Mattermost could not be stored', { error })
          end('an event could not be stored. Retrying.')
        })
        .finally(() => (pending -= 1))
    }

    socket.addEventListener('open', () => send('authentication_challenge', { token: parts.token }))
    socket.addEventListener('message', ({ data }) => {
      const message = isOver ? undefined : readJson(data)
      if (message) receive(message)
    })
    socket.addEventListener('close', () => end('the socket was closed. Retrying.'))
    socket.addEventListener('error', () => end('the socket was lost, or cannot be opened. Retrying.'))
    let cancelPing = (): void => {}
    const ping = (): void => {
      cancelPing = clock.after(socketLimits.pingMs, () => {
        if (!isAlive) return end('the socket is silent. Retrying.')
        isAlive = false
        if (socket.readyState === WebSocket.OPEN) send('ping')
        ping()
      })
    }
    ping()
    const cancel = (): void => end(null)
    stopping.signal.addEventListener('abort', cancel, { once: true })
    if (stopping.signal.aborted) cancel()
    const problem = await ended.promise
    stopping.signal.removeEventListener('abort', cancel)
    cancelPing()
    socket.close()
    await last
    return problem
  }

  const opened = Promise.withResolvers<string | null>()
  async function run(): Promise<void> {
    let retryMs: number = socketLimits.firstRetryMs
    while (!stopping.signal.aborted) {
      const problem = await connectOnce(() => {
        retryMs = socketLimits.firstRetryMs
        opened.resolve(null)
      })
      if (problem === null) break
      opened.resolve(problem)
      parts.report(problem)
      await pauseFor(clock, retryMs, stopping.signal)
      retryMs = Math.min(2 * retryMs, connectLimits.retryMs)
    }
    opened.resolve('it was stopped')
  }
  const running = run()
  const finish = async (): Promise<void> => {
    signal.removeEventListener('abort', stop)
    stop()
    await running
  }
  const cancelLate = clock.after(socketLimits.connectMs, () => opened.resolve('the socket of Mattermost does not answer. Retrying.'))
  const problem = await opened.promise
  cancelLate()
  if (problem === null) return { stop: finish }
  await finish()
  return { problem }
}

/** Times of the server: of the newest post before the first connection, and of the newest one that was stored. */
function parseCursor(text: string | null): { first: number; position: number } {
  const [, first = -1, position = -1] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? []
  return { first: Number(first), position: Number(position) }
}
