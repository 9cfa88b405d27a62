import { describeClientError } from '../errors/client-errors.ts'
import type { BuildEventView } from './build-view.ts'
import { ClientError } from './client-error.ts'
import { type Fetch, toRefusal } from './http.ts'
import { eventsIn } from './sse.ts'
import { backOffMs } from '../shapes/back-off.ts'

/**
 * It stays `live` after the end of a build: a retry or a change begins another round. `refused`: the server said no, and trying
 * again will not help. `resuming`: the server closed a connection that read too slowly; it continues after the last event seen.
 */
export type BuildFeedState = 'connecting' | 'live' | 'reconnecting' | 'resuming' | 'refused'

export type BuildFollower = {
  /** In order, each event once, whatever happened to the connection in between. */
  onEvents(events: BuildEventView[]): void
  onState?(state: BuildFeedState): void
  /** Why it was refused: there is no such build, or it is none of yours. */
  onRefused?(error: ClientError): void
}

export type BuildFeed = {
  readonly state: BuildFeedState
  /** Does not wait for the next try. */
  retryNow(): void
  close(): void
}

export type BuildFeedTiming = { firstRetryMs: number; longestRetryMs: number; silenceMs: number }

export type BuildFeedOptions = {
  url: string
  token?: string | undefined
  fetch?: Fetch | undefined
  after: number
  follower: BuildFollower
  timing?: Partial<BuildFeedTiming> | undefined
}

/** The server says something at least every 15 seconds; three times that and the line is dead, whatever the socket thinks. */
const defaultTiming: BuildFeedTiming = { firstRetryMs: 500, longestRetryMs: 30_000, silenceMs: 45_000 }

/**
 * The events of one build as server-sent events, over `fetch` instead of `EventSource`: that one cannot send a token, and
 * does not say why it failed. Reconnects for ever after the last number it saw.
 */
export function buildFeed({ url, token, fetch = globalThis.fetch, after, follower, ...options }: BuildFeedOptions): BuildFeed {
  const timing = { ...defaultTiming, ...options.timing }
  let state: BuildFeedState = 'connecting'
  let last = after
  let failures = 0
  /** The server's last event said that it closes because this side does not read fast enough. */
  let isTooSlow = false
  let line: AbortController | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function become(next: BuildFeedState): void {
    if (isClosed || state === next) return
    state = next
    follower.onState?.(next)
  }

  async function read(mine: AbortController): Promise<void> {
    let silence = setTimeout(() => mine.abort(), timing.silenceMs)
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`
      if (last > 0) headers['last-event-id'] = String(last)
      const address = `${url}${url.includes('?') ? '&' : '?'}after=${last}`
      const response = await fetch(address, { method: 'GET', headers, signal: mine.signal, credentials: 'same-origin' })
      if (!response.ok) throw toRefusal(response, await response.text(), url)
      if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? ''))
        throw new ClientError(describeClientError('server_unreachable', { url }), { status: 0 })
      const openedAt = Date.now()
      if (state !== 'resuming') failures = 0
      become('live')
      for await (const events of eventsIn(response.body)) {
        clearTimeout(silence)
        silence = setTimeout(() => mine.abort(), timing.silenceMs)
        if (line !== mine) return
        if (Date.now() - openedAt > timing.longestRetryMs) failures = 0
        isTooSlow = events.some(({ name }) => name === 'closed')
        handOver(
          events.filter(({ name }) => name !== 'closed').flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data) as BuildEventView])),
        )
      }
    } finally {
      clearTimeout(silence)
    }
  }

  function handOver(events: BuildEventView[]): void {
    const fresh = events.filter(({ seq }) => seq > last)
    if (fresh.length === 0) return
    last = fresh.at(-1)?.seq ?? last
    follower.onEvents(fresh)
  }

  function connect(): void {
    clearTimeout(retryTimer)
    if (isClosed || line) return
    const mine = new AbortController()
    line = mine
    read(mine).then(
      () => lost(mine, null),
      (error: unknown) => lost(mine, error),
    )
  }

  function lost(mine: AbortController, error: unknown): void {
    if (line !== mine) return
    line = null
    mine.abort()
    if (isClosed) return
    if (error instanceof ClientError && !error.isTransient && error.status < 500) {
      become('refused')
      follower.onRefused?.(error)
      return
    }
    failures += 1
    become(isTooSlow ? 'resuming' : 'reconnecting')
    isTooSlow = false
    const longest = backOffMs(timing, failures - 1)
    const retryAfterMs = error instanceof ClientError ? (error.retryAfterMs ?? 0) : 0
    retryTimer = setTimeout(connect, Math.max(retryAfterMs, longest * (0.5 + Math.random() / 2)))
  }

  connect()
  return {
    get state() {
      return state
    },
    retryNow() {
      if (isClosed || line) return
      failures = 0
      connect()
    },
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      line?.abort()
      line = null
    },
  }
}
