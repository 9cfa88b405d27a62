import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Access, Principal } from '../access/access.ts'
import { closedSignedOut, everything, liveProtocol } from '../client/live.ts'
import type { LiveFrame, ServerInfo } from '../client/wire.ts'
import { describeError, type ErrorCode } from '../errors.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Parley } from '../ports/parley.ts'
import { liveLimits, liveReader, type Outlet } from './live-reader.ts'
import { streamHub } from './stream-hub.ts'
import { id } from './text.ts'
import { withoutOperatorEvents } from './visible-events.ts'

export const socketLimits = {
  follows: 100,
  frameBytes: 16_384,
  framesPerSecond: 50,
  framesAtOnce: 400,
  sockets: 2_000,
  pingMs: 30_000,
  tellAgainMs: 1_000,
} as const

const request = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('follow'), stream: z.union([z.literal(everything), id]), after: z.int().min(0) }),
  z.strictObject({ type: z.literal('unfollow'), stream: z.union([z.literal(everything), id]) }),
  z.strictObject({ type: z.literal('ping') }),
])

export type LiveSockets = {
  /** Takes over a connection whose caller was already checked. */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, principal: Principal): void
  /** Says goodbye to everybody. */
  close(): void
}

type Parts = { parley: Parley; access: Access; info: () => Promise<ServerInfo>; log: Log; metrics: Metrics }

export function liveSockets({ parley, access, info, log, metrics }: Parts): LiveSockets {
  const sockets = new Set<WebSocket>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: socketLimits.frameBytes,
    handleProtocols: (offered) => (offered.has(liveProtocol) ? liveProtocol : false),
  })
  const feedOf = (seen: Parley) => ({
    parley: seen,
    hub: streamHub(seen, (error) => {
      log('error', 'a live feed broke; its readers connect again', { error })
      for (const socket of sockets) socket.close(1011)
    }),
  })
  const all = feedOf(parley)
  const visible = feedOf(withoutOperatorEvents(parley))
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
  const stopListening = parley.events.onChange(() => sockets.forEach(tellChanged))
  metrics.gauge('live_connections', () => sockets.size)

  function serve(socket: WebSocket, principal: Principal): void {
    const feed = principal.scopes.includes('admin') ? all : visible
    const follows = new Map<string, { stop(): void }>()
    let isAnswering = true
    let framesLeft: number = socketLimits.framesAtOnce
    let framesAt = Date.now()
    const send = (frame: LiveFrame): void => socket.send(JSON.stringify(frame))
    const refuse = (code: ErrorCode, details: Record<string, string | number>, stream?: string): void =>
      send({ type: 'error', error: describeError(code, details), ...(stream === undefined ? {} : { stream }) })
    const outlet: Outlet = {
      send: (frame) => socket.send(frame, { binary: false }),
      bufferedBytes: () => socket.bufferedAmount,
      fault(error) {
        log('error', 'a live reader met a fault of ours', { error })
        socket.close(1011)
      },
    }

    const signOut = (): void => socket.close(closedSignedOut, 'signed out')
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
    socket.on('pong', () => {
      isAnswering = true
    })

    socket.on('message', (data: RawData, isBinary) => {
      isAnswering = true
      const now = Date.now()
      framesLeft = Math.min(socketLimits.framesAtOnce, framesLeft + ((now - framesAt) / 1000) * socketLimits.framesPerSecond)
      framesAt = now
      if (framesLeft < 1) return refuse('too_many_requests', { seconds: 1 })
      framesLeft -= 1
      const asked = isBinary ? null : request.safeParse(parse(data))
      if (!asked?.success) return refuse('bad_request', { field: 'frame', why: 'is not one of follow, unfollow, ping' })
      const message = asked.data
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
          return void follows.set(stream, liveReader(feed.parley, feed.hub, outlet, stream, after))
        }
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(ping)
      endWatch()
      sockets.delete(socket)
      for (const follow of follows.values()) follow.stop()
      follows.clear()
    })
    sockets.add(socket)
    info().then(
      ({ build, version }) => send({ type: 'welcome', build, version }),
      (error: unknown) => outlet.fault(error),
    )
  }

  return {
    accept(incoming, socket, head, principal) {
      if (sockets.size >= socketLimits.sockets)
        return void socket.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      server.handleUpgrade(incoming, socket, head, (live) => serve(live, principal))
    },
    close() {
      stopListening()
      all.hub.close()
      visible.hub.close()
      for (const socket of sockets) socket.close(1001, 'the server is stopping')
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
