import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { can, type Principal } from './auth/principal.ts'
import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metrics } from '../ports/metrics.ts'
import { isLoopbackAddress } from './auth/same-site.ts'
import { turns } from './turns.ts'

export type ConnectionLimits = {
  /** TCP connections in total, and those whose caller has not been identified yet. */
  sockets: number
  anonymousSockets: number
  /** Not counted for loopback: behind a proxy every caller has that address. */
  anonymousPerAddress: number
  /** Streams that stay open: WebSockets, event streams, AG-UI runs. */
  live: number
  livePerToken: number
  /** Streams followed over WebSockets. */
  follows: number
  followsPerToken: number
  /** An AG-UI run also holds the messages its client sent: so many bytes of JSON for all of them. */
  agUiRuns: number
  agUiRunsPerToken: number
  agUiBytes: number
  /** Requests on one connection whose response is not sent yet, and the memory of all that wait for the response before them. */
  pipelined: number
  pipelinedBytes: number
  /** Requests that were authenticated and whose response is not sent yet. */
  requests: number
  requestsPerToken: number
  /** The share of `live`, `follows`, `agUiRuns`, `agUiBytes`, `requests` and `bodiesBytes` only callers with the scope `admin` may use. */
  reservedPercent: number
  /** Request bodies in memory, those of one token, and those of callers without sign-in. */
  bodiesBytes: number
  bodiesPerTokenBytes: number
  anonymousBodiesBytes: number
  /** Output the process holds for all connections because readers have not taken it yet. */
  bufferedBytes: number
  /** A connection with output to take that takes none for so long is closed. */
  stallMs: number
  sweepMs: number
  /** Time for a closed connection to read the reason before it is destroyed. */
  closeGraceMs: number
  headersMs: number
  requestMs: number
  retryMs: number
}

export const connectionLimits: ConnectionLimits = {
  sockets: 2_048,
  anonymousSockets: 512,
  anonymousPerAddress: 64,
  live: 1_000,
  livePerToken: 256,
  follows: 20_000,
  followsPerToken: 5_000,
  agUiRuns: 100,
  agUiRunsPerToken: 32,
  agUiBytes: 2_000_000,
  pipelined: 32,
  pipelinedBytes: 4_000_000,
  requests: 512,
  requestsPerToken: 256,
  reservedPercent: 10,
  bodiesBytes: 8_000_000,
  bodiesPerTokenBytes: 4_000_000,
  anonymousBodiesBytes: 2_000_000,
  bufferedBytes: 8_000_000,
  stallMs: 30_000,
  sweepMs: 1_000,
  closeGraceMs: 1_000,
  headersMs: 20_000,
  requestMs: 60_000,
  retryMs: 5_000,
}

export type LiveKind = 'websocket' | 'events' | 'ag-ui'

export type Connections = {
  /** A TCP connection was accepted. Closes the least useful one when there are too many. */
  accepted(socket: Socket): void
  /**
   * A request arrived on it. `handle` is called when the response before it on the same connection is sent: a client that sends
   * many requests at once and reads no response would otherwise have all responses made for it.
   */
  requested(incoming: IncomingMessage, outgoing: ServerResponse, handle: () => void): void
  /** The caller of a request was identified. Throws when that caller has too many requests under way. */
  identified(socket: Socket, principal: Principal, outgoing?: ServerResponse): void
  /** Room for a request body, taken as it arrives. Throws when there is none left. */
  body(principal: Principal | null): { take(bytes: number): void; release(): void }
  /**
   * Throws when there is no room for a further stream. The signal is aborted with the reason when this has to close it.
   * `request` is the response and the size of the body of the request that opened it.
   */
  live(kind: LiveKind, principal: Principal, socket: Socket, request?: { outgoing: ServerResponse; bodyBytes: number }): AbortSignal
  /** Counts a stream followed over a WebSocket. Throws when there are too many. Returns what ends it. */
  follow(principal: Principal): () => void
  /** Resolves when it is this caller's turn to have a page of events read and written. */
  turn(principal: Principal): Promise<void>
  /** Resolves at once, unless others wait for their turn or much was written just now. */
  turnIfBusy(principal: Principal): Promise<void>
  /** Output was handed to a connection. Makes sure that all of them together stay within `bufferedBytes`. */
  sent(bytes: number): void
  /** A response of this size is about to be handed over as a whole. */
  responded(bytes: number): void
  closedBecause(reason: string): void
  close(): void
}

type Tracked = {
  socket: Socket
  address: string
  isKnown: boolean
  isOwner: boolean
  responses: Set<ServerResponse>
  streams: Set<AbortController>
  /** Bytes that had left the process when that was last looked at, and since when no more did. */
  flushed: number
  stalledSince: number | null
  isClosing: boolean
  /** Nothing is read because requests wait for the response before them. */
  isHeld: boolean
}

type Counts = { total: number; ofOthers: number; byToken: Map<string, number> }

const isOwner = (principal: Principal): boolean => can(principal, 'manage')

/**
 * Every connection of the server and what it costs. A connection is *anonymous* until a request on it was authenticated;
 * those are closed first, the oldest before the others, when there are too many. A share of everything is reserved for
 * callers with the capability `manage`, so that readers with weaker tokens cannot lock the owner out.
 */
export function connections(
  clock: Clock,
  metrics: Metrics,
  given: Partial<ConnectionLimits> = {},
): Connections & { readonly limits: ConnectionLimits } {
  const limits = { ...connectionLimits, ...given }
  // Streams never take the connections that requests need.
  limits.sockets = given.sockets ?? connectionLimits.sockets + Math.max(0, limits.live - connectionLimits.live)
  /** In the order they were accepted. */
  const sockets = new Map<Socket, Tracked>()
  const anonymous = new Set<Tracked>()
  const addresses = new Map<string, Set<Tracked>>()
  const counts: Record<'live' | 'follows' | 'agUi' | 'agUiBytes' | 'requests', Counts> = {
    live: counted(),
    follows: counted(),
    agUi: counted(),
    agUiBytes: counted(),
    requests: counted(),
  }
  const requestEnds = new WeakMap<ServerResponse, () => void>()
  /** Requests that wait for the response before them, with their memory. */
  const waitingBytes = new Map<ServerResponse, number>()
  let allWaitingBytes = 0
  const pages = turns()
  const bodyBytes = new Map<string, number>()
  let allBodyBytes = 0
  let anonymousBodyBytes = 0
  /** At most this much is buffered; counted anew when it passes the bound, and by each sweep. */
  let bufferedAtMost = 0
  let stopSweeping: (() => void) | null = null
  metrics.gauge('connections', () => sockets.size)
  metrics.gauge('connections_anonymous', () => anonymous.size)
  metrics.gauge('live_connections', () => counts.live.total)
  metrics.gauge('connections_buffered_bytes', () => allBuffered())

  const seconds = Math.ceil(limits.retryMs / 1000)
  const full = (what: string): ParleyError =>
    new ParleyError('server_full', { what, seconds }, { retryable: true, retryAfterMs: limits.retryMs })
  const forOthers = (most: number): number => most - Math.ceil((most * limits.reservedPercent) / 100)
  const closedBecause = (reason: string): void => metrics.count('connections_closed_total', 1, { reason })
  const refusedBecause = (reason: string): void => metrics.count('connections_refused_total', 1, { reason })

  /** Counts one more, or several; returns what counts them out again. */
  function enter(all: Counts, principal: Principal, most: number, perToken: number, what: string, size = 1): () => void {
    const mine = all.byToken.get(principal.id) ?? 0
    if (mine + size > perToken) {
      refusedBecause('token')
      throw new ParleyError('too_many_connections', { limit: perToken, what, seconds }, { retryable: true, retryAfterMs: limits.retryMs })
    }
    const owner = isOwner(principal)
    if (all.total + size > most || (!owner && all.ofOthers + size > forOthers(most))) {
      refusedBecause('total')
      throw full(what)
    }
    const change = (by: number): void => {
      all.total += by
      if (!owner) all.ofOthers += by
      const remaining = (all.byToken.get(principal.id) ?? 0) + by
      if (remaining > 0) all.byToken.set(principal.id, remaining)
      else all.byToken.delete(principal.id)
    }
    change(size)
    let isOver = false
    return () => {
      if (!isOver) change(-size)
      isOver = true
    }
  }

  function setKnown(tracked: Tracked): void {
    tracked.isKnown = true
    anonymous.delete(tracked)
    leaveAddress(tracked)
  }

  function leaveAddress(tracked: Tracked): void {
    const there = addresses.get(tracked.address)
    there?.delete(tracked)
    if (there?.size === 0) addresses.delete(tracked.address)
  }

  function forget(tracked: Tracked): void {
    sockets.delete(tracked.socket)
    anonymous.delete(tracked)
    leaveAddress(tracked)
    for (const stream of tracked.streams) stream.abort()
    // Responses that waited for the one before them are never begun, and nothing tells them that.
    for (const response of tracked.responses) {
      requestEnds.get(response)?.()
      endWaiting(response)
    }
    tracked.responses.clear()
    if (sockets.size > 0) return
    stopSweeping?.()
    stopSweeping = null
  }

  function endWaiting(response: ServerResponse): void {
    allWaitingBytes -= waitingBytes.get(response) ?? 0
    waitingBytes.delete(response)
  }

  /** While a request waits for the response before it, no further ones are read. */
  function holdInput(tracked: Tracked): void {
    const wasHeld = tracked.isHeld
    tracked.isHeld = tracked.responses.size > 1
    if (tracked.isHeld) tracked.socket.pause()
    else if (wasHeld) tracked.socket.resume()
  }

  function countOutput(bytes: number): void {
    bufferedAtMost += bytes
    if (bufferedAtMost > limits.bufferedBytes) freeMemory()
  }

  function cut(tracked: Tracked, reason: string): void {
    closedBecause(reason)
    tracked.isClosing = true
    forget(tracked)
    stopParsing(tracked.socket)
    tracked.socket.destroy()
  }

  /** Streams are told why; the connection is cut when the reader has not taken that either. */
  function closeSlow(tracked: Tracked, reason: string): void {
    if (tracked.isClosing) return
    if (tracked.streams.size === 0) return cut(tracked, reason)
    closedBecause(reason)
    tracked.isClosing = true
    for (const stream of tracked.streams) stream.abort(new ParleyError('reader_too_slow'))
    tracked.socket.once(
      'close',
      clock.after(limits.closeGraceMs, () => tracked.socket.destroy()),
    )
  }

  const idleKnown = (): Tracked | undefined => {
    for (const tracked of sockets.values())
      if (tracked.isKnown && tracked.responses.size === 0 && tracked.streams.size === 0) return tracked
    return undefined
  }

  const oldest = (all: Set<Tracked>): Tracked | undefined => all.values().next().value

  function buffered({ socket, responses }: Tracked): number {
    let bytes = socket.writableLength
    // A response that waits for the one before it is not on the connection yet.
    for (const response of responses) bytes += response.writableLength - (response.socket === null ? 0 : socket.writableLength)
    return bytes
  }

  function allBuffered(): number {
    let bytes = 0
    for (const tracked of sockets.values()) bytes += buffered(tracked)
    return bytes
  }

  function sweep(): void {
    stopSweeping = sockets.size === 0 ? null : clock.after(limits.sweepMs, sweep)
    const now = clock.now()
    for (const tracked of sockets.values()) {
      const { socket } = tracked
      const flushed = socket.bytesWritten - socket.writableLength
      if (buffered(tracked) === 0 || flushed !== tracked.flushed) tracked.stalledSince = null
      else tracked.stalledSince ??= now
      tracked.flushed = flushed
      if (tracked.stalledSince !== null && now - tracked.stalledSince >= limits.stallMs) closeSlow(tracked, 'stalled')
    }
    freeMemory()
  }

  /** Cuts those that have taken nothing for the longest time, callers without `admin` first, until the rest is within the bound. */
  function freeMemory(): void {
    bufferedAtMost = allBuffered()
    if (bufferedAtMost <= limits.bufferedBytes) return
    const holders = Array.from(sockets.values(), (tracked) => ({ tracked, bytes: buffered(tracked) })).filter(({ bytes }) => bytes > 0)
    holders.sort(
      (a, b) =>
        Number(a.tracked.isOwner) - Number(b.tracked.isOwner) ||
        (a.tracked.stalledSince ?? Infinity) - (b.tracked.stalledSince ?? Infinity) ||
        b.bytes - a.bytes,
    )
    for (const { tracked, bytes } of holders) {
      if (bufferedAtMost <= limits.bufferedBytes) return
      cut(tracked, 'memory')
      bufferedAtMost -= bytes
    }
  }

  return {
    limits,
    closedBecause,
    accepted(socket) {
      const address = socket.remoteAddress ?? 'unknown'
      const tracked: Tracked = {
        socket,
        address,
        isKnown: false,
        isOwner: false,
        responses: new Set(),
        streams: new Set(),
        flushed: 0,
        stalledSince: null,
        isClosing: false,
        isHeld: false,
      }
      sockets.set(socket, tracked)
      anonymous.add(tracked)
      socket.once('close', () => forget(tracked))
      // Node reads on by itself, such as when a request has arrived as a whole.
      socket.on('resume', () => tracked.isHeld && socket.pause())
      if (!isLoopbackAddress(address)) {
        const there = addresses.get(address) ?? new Set()
        addresses.set(address, there.add(tracked))
        if (there.size > limits.anonymousPerAddress) cut(oldest(there) ?? tracked, 'address')
      }
      if (anonymous.size > limits.anonymousSockets) cut(oldest(anonymous) ?? tracked, 'anonymous')
      // The new one is anonymous too, so it is the one to go when all others are in use.
      if (sockets.size > limits.sockets) cut((anonymous.size > 1 ? oldest(anonymous) : idleKnown()) ?? tracked, 'sockets')
      if (sockets.size > 0) stopSweeping ??= clock.after(limits.sweepMs, sweep)
    },
    requested(incoming, outgoing, handle) {
      const tracked = sockets.get(incoming.socket)
      if (!tracked) return
      outgoing.once('close', () => {
        if (!tracked.responses.delete(outgoing)) return
        requestEnds.get(outgoing)?.()
        endWaiting(outgoing)
        tracked.responses.values().next().value?.emit(mayBegin)
        holdInput(tracked)
      })
      // Handed over as a whole: everything but streams, which count each page themselves.
      outgoing.once('prefinish', () => countOutput(incoming.socket.writableLength))
      tracked.responses.add(outgoing)
      if (tracked.responses.size === 1) return handle()
      const bytes = measureMemory(incoming)
      if (tracked.responses.size > limits.pipelined || allWaitingBytes + bytes > limits.pipelinedBytes) return cut(tracked, 'pipelined')
      waitingBytes.set(outgoing, bytes)
      allWaitingBytes += bytes
      holdInput(tracked)
      outgoing.once(mayBegin, () => {
        endWaiting(outgoing)
        handle()
      })
    },
    identified(socket, principal, outgoing) {
      const tracked = sockets.get(socket)
      if (!tracked) return
      if (!tracked.isKnown) setKnown(tracked)
      tracked.isOwner = isOwner(principal)
      if (outgoing) requestEnds.set(outgoing, enter(counts.requests, principal, limits.requests, limits.requestsPerToken, 'requests'))
    },
    body(principal) {
      let mine = 0
      const ofToken = (): number => (principal === null ? 0 : (bodyBytes.get(principal.id) ?? 0))
      const count = (bytes: number): void => {
        mine += bytes
        if (principal === null) {
          anonymousBodyBytes += bytes
          return
        }
        allBodyBytes += bytes
        const remaining = ofToken() + bytes
        if (remaining > 0) bodyBytes.set(principal.id, remaining)
        else bodyBytes.delete(principal.id)
      }
      return {
        take(bytes) {
          const isFull =
            principal === null
              ? anonymousBodyBytes + bytes > limits.anonymousBodiesBytes
              : allBodyBytes + bytes > (isOwner(principal) ? limits.bodiesBytes : forOthers(limits.bodiesBytes)) ||
                (!isOwner(principal) && ofToken() + bytes > limits.bodiesPerTokenBytes)
          if (isFull) {
            refusedBecause('bodies')
            throw full('requests it can receive at the same time')
          }
          count(bytes)
        },
        release: () => count(-mine),
      }
    },
    follow: (principal) => enter(counts.follows, principal, limits.follows, limits.followsPerToken, 'followed streams'),
    live(kind, principal, socket, request) {
      const tracked = sockets.get(socket)
      if (!tracked) return AbortSignal.abort()
      const ends = [enter(counts.live, principal, limits.live, limits.livePerToken, 'live connections')]
      try {
        if (kind === 'ag-ui') {
          ends.push(enter(counts.agUi, principal, limits.agUiRuns, limits.agUiRunsPerToken, 'AG-UI runs'))
          ends.push(enter(counts.agUiBytes, principal, limits.agUiBytes, Infinity, 'bytes of AG-UI runs', request?.bodyBytes))
        }
      } catch (error) {
        for (const end of ends) end()
        throw error
      }
      // From here on it is counted as a stream and no longer as a request.
      if (request) requestEnds.get(request.outgoing)?.()
      const stream = new AbortController()
      tracked.streams.add(stream)
      ;(request?.outgoing ?? socket).once('close', () => {
        tracked.streams.delete(stream)
        // Also for an unread stream, such as that of a HEAD request.
        stream.abort()
        for (const end of ends) end()
      })
      return stream.signal
    },
    turn: (principal) => pages.wait(principal.id, isOwner(principal)),
    async turnIfBusy(principal) {
      if (!pages.isFree) await pages.wait(principal.id, isOwner(principal))
    },
    sent(bytes) {
      pages.written(bytes)
      countOutput(bytes)
    },
    responded: (bytes) => pages.written(bytes),
    close() {
      stopSweeping?.()
      stopSweeping = null
    },
  }
}

/**
 * Node makes objects for all requests of a packet, also when the connection was closed at one of the first: 64 kB of the smallest
 * requests become 14 MB. A handler that takes a request for an upgrade makes its parser stop. It is no documented interface;
 * without it there is more garbage, and nothing else changes.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null }
  if (parser) parser.onIncoming = () => 2
}

/** About what Node keeps for a request and its response, beside the headers. */
const requestBytes = 4_000

const measureMemory = ({ rawHeaders, url }: IncomingMessage): number =>
  rawHeaders.reduce((bytes, text) => bytes + text.length, requestBytes + (url?.length ?? 0))

const mayBegin = Symbol('may begin')

const counted = (): Counts => ({ total: 0, ofOthers: 0, byToken: new Map() })
