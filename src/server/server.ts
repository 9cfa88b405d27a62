import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Access } from './auth/access.ts'
import type { ServerInfo } from '../shapes/wire.ts'
import { ParleyError } from '../errors.ts'
import { type Clock, pauseFor, systemClock } from '../ports/clock.ts'
import { type Log, silentLog } from '../ports/log.ts'
import type { Messaging } from '../shapes/messaging.ts'
import type { Notifications } from '../shapes/notifications.ts'
import type { ServerSettings } from '../shapes/settings.ts'
import type { Worlds } from '../shapes/worlds.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Visibility } from '../ports/visibility.ts'
import { app, requestId } from './app.ts'
import { callerParley } from './auth/caller-parley.ts'
import { connectionLimits, type ConnectionLimits, connections } from './connections.ts'
import type { ReplyControls } from './routes/control-routes.ts'
import { embedOrigins } from './embed-origins.ts'
import { findLanAddress } from './lan-address.ts'
import { hiddenArguments } from './auth/hidden-arguments.ts'
import { liveSockets } from './live/live-sockets.ts'
import { type PrometheusMetrics, prometheus } from './metrics.ts'
import { openApi } from './openapi.ts'
import { rateLimiter } from './rate-limit.ts'
import { toFailure } from './refusals.ts'
import { capabilityOfRoute, route } from './routes/route.ts'
import { readiness } from './readiness.ts'
import { routes } from './routes/routes.ts'
import { fetchHandler, withoutBase } from './fetch-handler.ts'
import { type Headers, isLoopbackHost, site } from './auth/same-site.ts'
import { mustBeAllowed, whoAsks } from './auth/sign-in.ts'
import { staticPage } from './static-page.ts'
import type { Preview } from './routes/messaging-routes.ts'

/** Constant facts of the server; the emergency stop is read from the store. */
type StaticInfo = Omit<ServerInfo, 'emergency'>

export type ServerParts = {
  parley: Parley
  /** Filters what callers may see. */
  visibility: Visibility
  /** The chat apps connected here. */
  messaging?: Messaging | undefined
  /** Web Push to the browsers of people. */
  notifications?: Notifications | undefined
  /** parley.yaml as the owner changes it on the page. */
  settings?: ServerSettings | undefined
  /** Conversations with agents of other owners. */
  worlds?: Worlds | undefined
  /** Controls of plugins below replies on the page. */
  controls?: ReplyControls | undefined
  access: Access
  info: StaticInfo | (() => StaticInfo | Promise<StaticInfo>)
  log?: Log
  metrics?: PrometheusMetrics
  limits?: Partial<ServerLimits>
  /** Where the built page is. */
  staticDir?: string | undefined
  /** Addresses people use to reach this server, such as `https://parley.example.org`. */
  origins?: readonly string[]
  /** Origins of pages that may show a build with `<parley-build>`, such as `https://shop.example.org`. */
  embedOrigins?: readonly string[]
  clock?: Clock
  /** The path that `fetch` and `upgrade` are mounted at, such as `/parley`. */
  basePath?: string
  /** The words that start the command line on this machine, for the commands that the page names. */
  commandName?: string
  preview: Preview
  /** Only health, readiness and metrics are served: requests belong to other processes. */
  probesOnly?: boolean
}

export type ServerLimits = {
  bodyBytes: number
  requestsPerMinute: number
  strangersPerMinute: number
  connections: Partial<ConnectionLimits>
}

export const defaultServerLimits: ServerLimits = { bodyBytes: 512_000, requestsPerMinute: 6_000, strangersPerMinute: 120, connections: {} }

export type ParleyServer = {
  /** Resolves with the address to open. Without `nextFree`, a port in use is an error. */
  listen(where: { host: string; port: number; nextFree?: boolean }): Promise<string>
  readonly url: string
  readonly port: number
  /** Answers a request that another server has received, with or without the base path. */
  fetch(request: Request): Promise<Response>
  /** Takes over a connection that another server was asked to upgrade: the WebSocket of the page and the client. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  /**
   * For `drainMs` it serves on while `/readyz` says 503, so that a proxy turns elsewhere. Then it takes nothing new, ends the
   * streams and lets what runs finish within `graceMs`.
   */
  close(graceMs?: number, drainMs?: number): Promise<void>
}

const portsTried = 20

const listenFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such address is known',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'this account may not use that port',
}

const noPage = (path: string): never => {
  throw new ParleyError('not_found', { path: path.slice(0, 100) })
}

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '')
const livePath = '/v1/live'

/** Operations that a process without an API answers. */
const probes: ReadonlySet<string> = new Set(['server.health', 'server.ready', 'server.metrics'])

export function createServer({
  parley,
  visibility,
  messaging,
  notifications,
  settings,
  worlds,
  controls,
  access,
  info,
  log = silentLog,
  metrics = prometheus(),
  limits,
  staticDir,
  origins = [],
  embedOrigins: embedding = [],
  clock = systemClock,
  basePath = '',
  commandName = 'parley',
  preview,
  probesOnly = false,
}: ServerParts): ParleyServer {
  const { bodyBytes, requestsPerMinute, strangersPerMinute, connections: connectionChoices } = { ...defaultServerLimits, ...limits }
  // A few of the largest bodies fit in any case.
  const open = connections(clock, metrics, {
    bodiesBytes: Math.max(connectionLimits.bodiesBytes, 4 * bodyBytes),
    bodiesPerTokenBytes: Math.max(connectionLimits.bodiesPerTokenBytes, 2 * bodyBytes),
    ...connectionChoices,
  })
  let host = '127.0.0.1'
  let url = origins[0] === undefined ? '' : withoutSlash(origins[0]) + basePath
  let isDraining = false
  let isClosing = false
  const streamsOver = new AbortController()
  const ours = site(() => host, origins)
  const limitKnown = rateLimiter({ perSecond: requestsPerMinute / 60, burst: requestsPerMinute }, clock)
  const limitFailures = rateLimiter({ perSecond: strangersPerMinute / 60, burst: strangersPerMinute }, clock)
  const readInfo = async (): Promise<ServerInfo> => ({
    ...(typeof info === 'function' ? await info() : info),
    emergency: await parley.dialogs.emergency(),
  })

  const all = routes({
    messaging,
    notifications,
    settings,
    worlds,
    controls,
    access,
    info: readInfo,
    site: ours,
    url: () => url,
    isClosing: () => isDraining,
    isReady: readiness(() => parley.events.check(), clock),
    metricsText: () => metrics.text(),
    streamsOver: streamsOver.signal,
    preview,
    log,
  })
  const table = probesOnly ? all.filter(({ operation }) => probes.has(operation)) : all
  /** Made once: it takes 60 ms, and the request for it needs no sign-in. */
  let apiDocument: Buffer<ArrayBuffer> | undefined
  if (!probesOnly)
    table.push(
      route({
        operation: 'server.openapi',
        summary: 'This document',
        status: 200,
        async handle() {
          apiDocument ??= Buffer.from(JSON.stringify(openApi(table, (await readInfo()).version)))
          return { raw: new Response(apiDocument, { headers: { 'content-type': 'application/json' } }) }
        },
      }),
    )
  const hono = app({
    routes: table,
    access,
    site: ours,
    embed: embedOrigins(embedding),
    log,
    metrics,
    connections: open,
    bodyBytes,
    limitKnown,
    limitFailures,
    isDraining: () => isDraining,
    isClosing: () => isClosing,
    shownTo: (principal) => ({
      parley: callerParley(parley, principal, visibility),
      hidden: hiddenArguments(parley, principal, visibility),
    }),
    page: probesOnly ? noPage : staticPage(staticDir, basePath, commandName),
  })
  const live = liveSockets({ parley, visibility, access, info: readInfo, log, connections: open, clock })
  const unreadable = new ParleyError('bad_request', { field: 'request', why: 'is not well-formed HTTP' })
  // A malformed request never reaches the routes and still gets an error response.
  const listener = getRequestListener(hono.fetch, {
    errorHandler: () =>
      Response.json({ error: toFailure(unreadable, '').words }, { status: 400, headers: { 'x-request-id': requestId() } }),
  })
  const { headersMs, requestMs, sweepMs, sockets } = open.limits
  const late = new ParleyError('request_timeout', { seconds: Math.ceil(requestMs / 1000) })
  const server = createHttpServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      connectionsCheckingInterval: sweepMs,
      maxHeaderSize: 16_384,
      // Notices a peer that is gone without a word.
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    },
    (incoming, outgoing) => {
      open.requested(incoming, outgoing, () => void listener(incoming, outgoing))
    },
  )
  // Reached only when more connections arrive at once than can be closed in that time.
  server.maxConnections = sockets * 2
  server.on('connection', (socket) => open.accepted(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isLate) open.closedBecause('timeout')
    if (socket.writable) refuseSocket(socket, isLate ? late : unreadable)
    else socket.destroy()
  })
  const takeUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    upgrade(incoming, socket, head).catch((error: unknown) => refuseSocket(socket, error))
  }
  server.on('upgrade', takeUpgrade)

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const header: Headers = (name) => {
      const value = incoming.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    }
    const path = withoutBase((incoming.url ?? '').split('?', 1)[0] ?? '', basePath)
    ours.checkHost(header)
    if (path !== livePath || probesOnly) throw new ParleyError('not_found', { path: path.slice(0, 100) })
    if (isClosing) throw new ParleyError('shutting_down')
    const address = incoming.socket.remoteAddress ?? 'unknown'
    const principal = await whoAsks(header, access).catch((error: unknown) => {
      limitFailures(address)
      throw error
    })
    // A page of another site can open a WebSocket here, cookie and all: hence the check, although nothing is changed.
    const allowed = mustBeAllowed(principal, capabilityOfRoute('get', livePath), true, header, ours)
    limitKnown(allowed.id)
    open.identified(incoming.socket, allowed)
    live.accept(incoming, socket, head, allowed)
  }

  function refuseSocket(socket: Duplex, error: unknown): void {
    const request = requestId()
    const { status, words, retryAfterSeconds, isBug } = toFailure(error, request)
    if (isBug) log('error', 'a live connection met a fault of ours', { request, error })
    const body = JSON.stringify({ error: words })
    const headers = [
      'content-type: application/json',
      `x-request-id: ${request}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      ...(retryAfterSeconds === null ? [] : [`retry-after: ${retryAfterSeconds}`]),
    ]
    socket.end(`HTTP/1.1 ${status} Refused\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
    // The other side may keep its half open and go on sending.
    socket.resume()
    socket.once(
      'close',
      clock.after(open.limits.closeGraceMs, () => socket.destroy()),
    )
  }

  async function listenOn(port: number): Promise<boolean> {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      return true
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE') return false
      throw new ParleyError('cannot_listen', { host, port, why: listenFaults[code] ?? code }, { cause: error })
    }
  }

  return {
    get url() {
      return url
    },
    get port() {
      return (server.address() as AddressInfo | null)?.port ?? 0
    },
    fetch: fetchHandler((request, bindings) => hono.fetch(request, bindings), open, basePath),
    upgrade(incoming, socket, head) {
      // A server of another framework has accepted it; this one counts it from here on.
      open.accepted(incoming.socket)
      takeUpgrade(incoming, socket, head)
    },
    async listen(where) {
      host = where.host
      if (!isLoopbackHost(host) && !access.hasOwnSecret) throw new ParleyError('open_without_secret', { host })
      for (let tried = 0; !(await listenOn(where.port + tried)); tried += 1) {
        if (where.nextFree !== true || tried + 1 >= portsTried) throw new ParleyError('port_taken', { port: where.port + tried })
      }
      const { port } = server.address() as AddressInfo
      const isEverywhere = host === '0.0.0.0' || host === '::'
      const hostText = isEverywhere ? (findLanAddress() ?? '127.0.0.1') : host.includes(':') ? `[${host}]` : host
      url = `${origins[0] === undefined ? `http://${hostText}:${port}` : withoutSlash(origins[0])}${basePath}`
      return url
    },
    async close(graceMs = 5_000, drainMs = 0) {
      if (isDraining) return
      isDraining = true
      if (drainMs > 0) await pauseFor(clock, drainMs)
      isClosing = true
      const closed = server.listening ? once(server, 'close') : Promise.resolve()
      server.close()
      streamsOver.abort()
      live.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
      open.close()
    },
  }
}
