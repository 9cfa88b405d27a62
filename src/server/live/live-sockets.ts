import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Access } from '../auth/access.ts'
import { can, type Principal } from '../auth/principal.ts'
import { closedSignedOut, everything, liveProtocol } from '../../client/live.ts'
import type { LiveFrame, ServerInfo } from '../../shapes/wire.ts'
import { describeError, type Details, type ErrorCode, ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { Visibility } from '../../ports/visibility.ts'
import { callerParley, seesEverything } from '../auth/caller-parley.ts'
import type { ConnectionLimits, Connections } from '../connections.ts'
import { liveLimits, liveReader, type Outlet } from './live-reader.ts'
import { streamHub } from './stream-hub.ts'
import { id } from '../text.ts'

export const socketLimits = {
  follows: 100,
  frameBytes: 16_384,
  /** Of one message. Each may keep a whole packet in memory. */
  fragments: 4,
  /** Packets of one frame. */
  chunks: 64,
  framesPerSecond: 50,
  framesAtOnce: 400,
  inputBytesPerSecond: 64_000,
  inputBytesAtOnce: 256_000,
  pingMs: 30_000,
  tellAgainMs: 1_000,
} as const

const closedByProtocol = 1002

const request = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('follow'), stream: z.union([z.literal(everything), id]), after: z.int().min(0) }),
  z.strictObject({ type: z.literal('unfollow'), stream: z.union([z.literal(everything), id]) }),
  z.strictObject({ type: z.literal('ping') }),
])

export type LiveSockets = {
  /** Takes over a connection whose caller was already checked. Throws when there is no room for it. */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, principal: Principal): void
  /** Closes all connections with a reason. */
  close(): void
}

type Parts = {
  parley: Parley
  visibility: Visibility
  access: Access
  info: () => Promise<ServerInfo>
  log: Log
  connections: Connections & { readonly limits: ConnectionLimits }
  clock: Clock
}

type Feed = { parley: Parley; hub: ReturnType<typeof streamHub> }

export function liveSockets({ parley, visibility, access, info, log, connections, clock }: Parts): LiveSockets {
  /** Each with what ends it. */
  const sockets = new Map<WebSocket, (code: number, reason: string) => void>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: socketLimits.frameBytes,
    maxFragments: socketLimits.fragments,
    maxBufferedChunks: socketLimits.chunks,
    // Answered here, where a peer that does not take the answers is noticed.
    autoPong: false,
    handleProtocols: (offered) => (offered.has(liveProtocol) ? liveProtocol : false),
  })
  const makeFeed = (seen: Parley): Feed => ({
    parley: seen,
    hub: streamHub(seen, (error) => {
      log('error', 'a live feed broke; its readers connect again', { error })
      for (const end of sockets.values()) end(1011, 'internal error')
    }),
  })
  const all = makeFeed(parley)
  /** Of readers who see every stream and decide no approval: the same for each of them. */
  let ofReaders: Feed | null = null
  /** Callers who see the same share one feed. Others get their own, which ends with their connection. */
  function feedFor(principal: Principal): { feed: Feed; isOwn: boolean } {
    if (seesEverything(principal)) return { feed: all, isOwn: false }
    const ownParley = callerParley(parley, principal, visibility)
    const isReader = !principal.limit && can(principal, 'read.all') && !can(principal, 'approve')
    if (!isReader) return { feed: makeFeed(ownParley), isOwn: true }
    ofReaders ??= makeFeed(ownParley)
    return { feed: ofReaders, isOwn: false }
  }
  const changed = Buffer.from(JSON.stringify({ type: 'changed' } satisfies LiveFrame))
  const late = new Set<WebSocket>()
  /** One that lags is told when it has caught up: it must not keep an old list because the last change met it busy. */
  function tellChanged(socket: WebSocket): void {
    if (socket.bufferedAmount <= liveLimits.deltaLagBytes) return socket.send(changed, { binary: false })
    if (late.has(socket)) return
    late.add(socket)
    setTimeout(() => {
      late.delete(socket)
      if (sockets.has(socket)) tellChanged(socket)
    }, socketLimits.tellAgainMs).unref()
  }

  /** Sockets whose callers see every stream. */
  const unfiltered = new Set<WebSocket>()
  const stopListening = parley.events.onChange(() => {
    for (const socket of unfiltered) tellChanged(socket)
  })

  function serve(socket: WebSocket, wire: Duplex, principal: Principal, evicted: AbortSignal): void {
    const { feed, isOwn } = feedFor(principal)
    const follows = new Map<string, { stop(): void }>()
    let isAnswering = true
    let isOver = false
    let framesLeft: number = socketLimits.framesAtOnce
    let inputLeft: number = socketLimits.inputBytesAtOnce
    let inputAt = clock.now()
    let turns: Promise<unknown> = Promise.resolve()
    const transmit = (frame: string | Buffer): void => {
      if (isOver) return
      socket.send(frame, { binary: false })
      connections.sent(frame.length)
    }
    const send = (frame: LiveFrame): void => transmit(JSON.stringify(frame))
    const refuse = (code: ErrorCode, details: Details, stream?: string): void =>
      send({ type: 'error', error: describeError(code, details), ...(stream === undefined ? {} : { stream }) })
    const outlet: Outlet = {
      send: transmit,
      bufferedBytes: () => socket.bufferedAmount,
      async inTurn(work) {
        const mine = turns
          .then(drained)
          .then(() => connections.turn(principal))
          .then(work)
        turns = mine.catch(() => {})
        return mine
      },
      fault(error) {
        log('error', 'a live reader met a fault of ours', { error })
        end(1011, 'internal error')
      },
    }
    async function drained(): Promise<void> {
      if (wire.writableNeedDrain && !isOver) await new Promise((resolve) => onDrain.push(resolve))
    }
    const onDrain: ((value: unknown) => void)[] = []
    function goOn(): void {
      for (const resolve of onDrain.splice(0)) resolve(undefined)
      if (!isOver) socket.resume()
    }
    wire.on('drain', goOn)

    /** Nothing more is sent or read; the peer has `closeGraceMs` to take the reason. */
    function end(code: number, reason: string): void {
      if (isOver) return
      isOver = true
      socket.close(code, reason)
      const takeBack = clock.after(connections.limits.closeGraceMs, () => socket.terminate())
      socket.once('close', takeBack)
      for (const follow of follows.values()) follow.stop()
      follows.clear()
      goOn()
      socket.resume()
    }
    function endFlood(what: string): void {
      connections.closedBecause('flood')
      end(1008, `sender_too_fast: sent ${what}`)
    }
    evicted.addEventListener('abort', () => end(1013, 'reader_too_slow: connect again with `after`'), { once: true })

    /** False when the peer sent more than it may, and the connection was closed for it. */
    function isWithinRate(bytes: number): boolean {
      const now = clock.now()
      const passed = Math.max(0, now - inputAt) / 1000
      inputAt = now
      framesLeft = Math.min(socketLimits.framesAtOnce, framesLeft + passed * socketLimits.framesPerSecond) - 1
      inputLeft = Math.min(socketLimits.inputBytesAtOnce, inputLeft + passed * socketLimits.inputBytesPerSecond) - bytes
      if (framesLeft < 0) endFlood('too many frames')
      else if (inputLeft < 0) endFlood('too many bytes')
      // Unread responses would pile up: reading pauses until the peer has read the earlier ones.
      else if (wire.writableNeedDrain) socket.pause()
      return !isOver
    }

    /** With less than before the client connects again, and gets what is left. */
    const signOut = (): void =>
      access.hasLess(principal) ? end(1012, 'rights changed: connect again') : end(closedSignedOut, 'signed out')
    const checkAlive = (): void =>
      void access.isAlive(principal).then(
        (isAlive) => isAlive || signOut(),
        (error: unknown) => outlet.fault(error),
      )
    const endWatch = access.onRevoked(principal, signOut)
    // It may have been revoked between the check of the request and the watch.
    checkAlive()
    const ping = setInterval(() => {
      if (!isAnswering) return socket.terminate()
      isAnswering = false
      socket.ping()
      checkAlive()
    }, socketLimits.pingMs)
    socket.on('pong', (data) => {
      isAnswering = true
      if (!isOver) isWithinRate(data.length)
    })
    socket.on('ping', (data) => {
      isAnswering = true
      if (!isOver && isWithinRate(data.length)) socket.pong(data)
    })

    socket.on('message', (data: RawData, isBinary) => {
      isAnswering = true
      if (isOver || !isWithinRate(Buffer.isBuffer(data) ? data.length : socketLimits.frameBytes)) return
      const parsedRequest = isBinary ? null : request.safeParse(parse(data))
      if (!parsedRequest?.success) return refuse('bad_request', { field: 'frame', why: 'is not one of follow, unfollow, ping' })
      const message = parsedRequest.data
      switch (message.type) {
        case 'ping':
          return send({ type: 'pong' })
        case 'unfollow':
          follows.get(message.stream)?.stop()
          return void follows.delete(message.stream)
        case 'follow': {
          const { stream, after } = message
          follows.get(stream)?.stop()
          follows.delete(stream)
          if (follows.size >= socketLimits.follows)
            return refuse('bad_request', { field: 'follow', why: `more than ${socketLimits.follows} streams on one connection` }, stream)
          try {
            const leave = connections.follow(principal)
            const reader = liveReader(feed.parley, feed.hub, outlet, stream, after)
            return void follows.set(stream, {
              stop() {
                leave()
                reader.stop()
              },
            })
          } catch (error) {
            if (!(error instanceof ParleyError)) throw error
            return refuse(error.code, error.details, stream)
          }
        }
      }
    })
    // The others share one listener.
    const stopOwn = isOwn ? feed.parley.events.onChange(() => tellChanged(socket)) : null
    if (!isOwn) unfiltered.add(socket)
    // The peer broke the protocol or sent a message in too many parts; it was sent a closing frame that says so.
    socket.on('error', () => end(closedByProtocol, 'protocol error'))
    socket.on('close', () => {
      stopOwn?.()
      unfiltered.delete(socket)
      if (isOwn) feed.hub.close()
      clearInterval(ping)
      endWatch()
      sockets.delete(socket)
      isOver = true
      for (const follow of follows.values()) follow.stop()
      follows.clear()
      goOn()
    })
    sockets.set(socket, end)
    info().then(
      ({ build, version }) => send({ type: 'welcome', build, version }),
      (error: unknown) => outlet.fault(error),
    )
  }

  return {
    accept(incoming, socket, head, principal) {
      const evicted = connections.live('websocket', principal, incoming.socket)
      server.handleUpgrade(incoming, socket, head, (live) => serve(live, socket, principal, evicted))
    },
    close() {
      stopListening()
      all.hub.close()
      ofReaders?.hub.close()
      for (const end of sockets.values()) end(1001, 'the server is stopping')
    },
  }
}

function parse(data: RawData): unknown {
  try {
    return Buffer.isBuffer(data) ? JSON.parse(data.toString()) : undefined
  } catch {
    return undefined
  }
}
