import { ClientError } from './client-error.ts'
import type { DeltaView, ErrorWords, EventView, LiveFrame, LiveRequest } from '../shapes/wire.ts'
import { backOffMs } from '../shapes/back-off.ts'

/**
 * `signed-out` is not an outage: it ends only with `retryNow`, after a new sign-in. `resuming` is none either: the server closed
 * the connection because this side was too slow to read, and it goes on after the last event seen.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'resuming' | 'offline' | 'signed-out'

export type Follower = {
  /** In order, each event once, whatever happened to the connection in between. */
  onEvents(events: EventView[]): void
  onDelta?(delta: DeltaView): void
  /** Everything up to `head` was handed over. Again after each reconnect. */
  onLive?(head: number): void
  /** The server's log is shorter than what was already seen: another log. What was shown must go; all of it follows anew. */
  onReset?(): void
  onError?(error: ErrorWords): void
}

/** One connection for all that is followed. Reconnects for ever, by itself. */
export type Live = {
  readonly state: LiveState
  /** When the next try is due, while reconnecting. */
  readonly retryAt: number | null
  /** A dialog's events after `after`; everything's, by position, for `everything`. Returns what ends it. */
  follow(stream: string, after: number, follower: Follower): () => void
  onState(listen: (state: LiveState) => void): () => void
  onWelcome(listen: (build: string, version: string) => void): () => void
  /** Something in the lists changed: fetch what is shown again. Also after each reconnect. */
  onChanged(listen: () => void): () => void
  retryNow(): void
  close(): void
}

/** The name by which all streams together are followed. */
export const everything = '*'

/** The common part of the WebSockets of browsers, Node and `ws`. */
export type LiveSocket = {
  addEventListener(name: 'open', listen: () => void): void
  addEventListener(name: 'message', listen: (event: { data: unknown }) => void): void
  addEventListener(name: 'close', listen: (event: { code: number }) => void): void
  addEventListener(name: 'error', listen: () => void): void
  send(text: string): void
  close(code?: number): void
}

export type LiveSocketConstructor = new (url: string, protocols?: string[]) => LiveSocket

export type LiveOptions = {
  baseUrl: string
  token?: string | undefined
  WebSocket?: LiveSocketConstructor | undefined
  /** Asks the server something small, to learn why no connection came about. */
  probe(): Promise<unknown>
  timing?: Partial<LiveTiming> | undefined
}

export type LiveTiming = { firstRetryMs: number; longestRetryMs: number; pingMs: number; silenceMs: number }

/** A browser cannot send a header with a WebSocket; the list of subprotocols is the one place it can speak. */
export const liveProtocol = 'parley.live'
export const bearerProtocol = 'parley.bearer.'

/** Sent by the server when the sign-in ended while connected. */
export const closedSignedOut = 4401

/** Sent by the server when this side did not read what was sent (1013) or sent too much (1008). */
const closedForPace: readonly number[] = [1008, 1013]

const defaultTiming: LiveTiming = { firstRetryMs: 500, longestRetryMs: 30_000, pingMs: 20_000, silenceMs: 45_000 }

type Following = { follower: Follower; last: number }

export function live(options: LiveOptions): Live {
  const timing = { ...defaultTiming, ...options.timing }
  const Socket = options.WebSocket ?? (globalThis as { WebSocket?: LiveSocketConstructor }).WebSocket
  if (!Socket) throw new TypeError('This platform has no WebSocket: hand one in')
  const address = getAddress(options.baseUrl)
  const followed = new Map<string, Set<Following>>()
  const stateListeners = new Set<(state: LiveState) => void>()
  const welcomeListeners = new Set<(build: string, version: string) => void>()
  const changeListeners = new Set<() => void>()

  let state: LiveState = 'connecting'
  let socket: LiveSocket | null = null
  let isOpen = false
  let failures = 0
  /** Closures for pace since the connection last held for a while; unlike `failures` a welcome does not end them. */
  let paceClosures = 0
  let openedAt = 0
  let retryAt: number | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let pingTimer: ReturnType<typeof setInterval> | undefined
  let heardAt = 0
  let isClosed = false

  function become(next: LiveState): void {
    if (state === next) return
    state = next
    for (const listen of stateListeners) listen(next)
  }

  function connect(): void {
    clearTimeout(retryTimer)
    retryAt = null
    if (isClosed || socket || !Socket) return
    const mine = new Socket(address, options.token === undefined ? [liveProtocol] : [liveProtocol, bearerProtocol + options.token])
    socket = mine
    mine.addEventListener('open', () => {
      if (socket !== mine) return
      isOpen = true
      heardAt = Date.now()
      openedAt = heardAt
      for (const [stream, all] of followed) request({ type: 'follow', stream, after: lowest(all) })
      pingTimer = setInterval(() => {
        // A connection that died without a word (a sleeping laptop) is noticed here only.
        if (Date.now() - heardAt > timing.silenceMs) lost(mine, true)
        else request({ type: 'ping' })
      }, timing.pingMs)
    })
    mine.addEventListener('message', ({ data }) => {
      if (socket !== mine || typeof data !== 'string') return
      heardAt = Date.now()
      receive(JSON.parse(data) as LiveFrame)
    })
    mine.addEventListener('close', ({ code }) => {
      if (socket !== mine) return
      if (code === closedSignedOut) signedOut(mine)
      else if (closedForPace.includes(code)) closedByPace(mine)
      else lost(mine, isOpen)
    })
    // Says nothing that the close after it does not say; without a listener, some throw it.
    mine.addEventListener('error', () => {})
  }

  function drop(mine: LiveSocket): void {
    clearInterval(pingTimer)
    socket = null
    isOpen = false
    try {
      mine.close()
    } catch {
      // It was never open; there is nothing to close.
    }
  }

  function signedOut(mine: LiveSocket): void {
    drop(mine)
    become('signed-out')
  }

  /** Comes back later each time: the reason for being slow is still there. */
  function closedByPace(mine: LiveSocket): void {
    drop(mine)
    if (isClosed) return
    paceClosures = Date.now() - openedAt > timing.longestRetryMs ? 1 : paceClosures + 1
    failures = paceClosures
    become('resuming')
    retryLater()
  }

  function lost(mine: LiveSocket, wasOpen: boolean): void {
    drop(mine)
    if (isClosed) return
    failures += 1
    become(isOnline() ? 'reconnecting' : 'offline')
    if (wasOpen) return retryLater()
    options.probe().then(
      () => retryLater(),
      (error: unknown) => {
        if (error instanceof ClientError && error.status === 401) become('signed-out')
        else retryLater()
      },
    )
  }

  function retryLater(): void {
    if (isClosed || socket || state === 'signed-out') return
    const longest = backOffMs(timing, failures - 1)
    const delayMs = longest * (0.5 + Math.random() / 2)
    retryAt = Date.now() + delayMs
    clearTimeout(retryTimer)
    retryTimer = setTimeout(connect, delayMs)
  }

  function retryNow(): void {
    if (isClosed || isOpen) return
    if (state === 'signed-out') become('connecting')
    failures = 0
    connect()
  }

  function request(message: LiveRequest): void {
    if (isOpen) socket?.send(JSON.stringify(message))
  }

  function receive(frame: LiveFrame): void {
    switch (frame.type) {
      case 'welcome':
        failures = 0
        become('live')
        for (const listen of welcomeListeners) listen(frame.build, frame.version)
        for (const listen of changeListeners) listen()
        return
      case 'events':
        for (const following of followed.get(frame.stream) ?? []) handOver(frame.stream, following, frame.events)
        return
      case 'live':
        for (const following of followed.get(frame.stream) ?? []) {
          if (frame.head < following.last) {
            following.last = 0
            following.follower.onReset?.()
            request({ type: 'follow', stream: frame.stream, after: 0 })
          } else following.follower.onLive?.(frame.head)
        }
        return
      case 'delta':
        for (const { follower } of followed.get(frame.delta.stream) ?? []) follower.onDelta?.(frame.delta)
        return
      case 'changed':
        for (const listen of changeListeners) listen()
        return
      case 'error':
        for (const { follower } of frame.stream === undefined ? [] : (followed.get(frame.stream) ?? [])) follower.onError?.(frame.error)
        return
      case 'pong':
        return
    }
  }

  function handOver(stream: string, following: Following, events: EventView[]): void {
    const place = (event: EventView): number => (stream === everything ? event.position : event.seq)
    const fresh = events.filter((event) => place(event) > following.last)
    const [first] = fresh
    if (!first) return
    if (stream !== everything && first.seq !== following.last + 1) {
      // Something is missing in between: ask again from where this follower is.
      request({ type: 'follow', stream, after: following.last })
      return
    }
    following.last = place(fresh.at(-1) ?? first)
    following.follower.onEvents(fresh)
  }

  const page = globalThis as {
    addEventListener?: (name: string, listen: () => void) => void
    removeEventListener?: (name: string, listen: () => void) => void
    document?: {
      visibilityState: string
      addEventListener(name: string, listen: () => void): void
      removeEventListener(name: string, listen: () => void): void
    }
  }
  const onOnline = (): void => retryUnlessSignedOut()
  const onOffline = (): void => {
    if (!isOpen && state !== 'signed-out') become('offline')
  }
  const onVisible = (): void => {
    if (page.document?.visibilityState === 'visible') retryUnlessSignedOut()
  }
  function retryUnlessSignedOut(): void {
    if (state === 'signed-out') return
    if (isOpen) request({ type: 'ping' })
    else retryNow()
  }
  page.addEventListener?.('online', onOnline)
  page.addEventListener?.('offline', onOffline)
  page.document?.addEventListener('visibilitychange', onVisible)
  connect()

  return {
    get state() {
      return state
    },
    get retryAt() {
      return retryAt
    },
    follow(stream, after, follower) {
      const following = { follower, last: after }
      const all = followed.get(stream) ?? new Set()
      followed.set(stream, all.add(following))
      request({ type: 'follow', stream, after: lowest(all) })
      return () => {
        if (!all.delete(following) || all.size > 0) return
        followed.delete(stream)
        request({ type: 'unfollow', stream })
      }
    },
    onState: (listen) => listenTo(stateListeners, listen),
    onWelcome: (listen) => listenTo(welcomeListeners, listen),
    onChanged: (listen) => listenTo(changeListeners, listen),
    retryNow,
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      page.removeEventListener?.('online', onOnline)
      page.removeEventListener?.('offline', onOffline)
      page.document?.removeEventListener('visibilitychange', onVisible)
      if (socket) drop(socket)
    },
  }
}

function listenTo<Listener>(all: Set<Listener>, listen: Listener): () => void {
  all.add(listen)
  return () => void all.delete(listen)
}

const lowest = (all: Set<Following>): number => Math.min(...Array.from(all, ({ last }) => last))

const isOnline = (): boolean => (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine !== false

function getAddress(baseUrl: string): string {
  const here = (globalThis as { location?: { href: string } }).location?.href
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1/live`, here)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
