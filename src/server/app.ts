import { createHash, randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Access } from './auth/access.ts'
import { can, mustHave, type Principal } from './auth/principal.ts'
import { ParleyError } from '../errors.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Caller } from '../shapes/parley.ts'
import type { EmbedOrigins } from './embed-origins.ts'
import { bodyLimits, parseBody, readBody } from './body.ts'
import type { Connections } from './connections.ts'
import { toFailure, toRefusal } from './refusals.ts'
import type { Asked, Route } from './routes/route.ts'
import type { Headers, Site } from './auth/same-site.ts'
import { mustBeAllowed, mustBeAllowedTo, whoAsks } from './auth/sign-in.ts'
import { turnLimits } from './turns.ts'

export type AppParts = {
  routes: readonly Route[]
  access: Access
  site: Site
  embed: EmbedOrigins
  log: Log
  metrics: Metrics
  connections: Connections
  bodyBytes: number
  /** Throws when a known caller asks too often. */
  limitKnown(caller: string): void
  /**
   * Throws when too many requests of an address failed to prove who sent them. Only failures count: strangers share an
   * address with the owner behind a proxy, and a correct link, cookie or token must work whatever they do.
   */
  limitFailures(address: string): void
  /** Proxies should send further requests elsewhere. */
  isDraining(): boolean
  isClosing(): boolean
  /** The parts this caller may see and change. */
  shownTo(principal: Principal): Pick<Asked<never, never, never>, 'parley' | 'hidden'>
  page(path: string, header: Headers): Promise<Response>
}

/** The id of one request, in the log and in its response. */
export const requestId = (): string => randomBytes(9).toString('base64url')

type Bound = { Bindings: HttpBindings }

/** Everything a request meets on its way to its route, in the order it meets it. */
export function app(parts: AppParts): Hono<Bound> {
  const { routes, site, embed, log, metrics } = parts
  const hono = new Hono<Bound>()

  const answered = async (
    context: Context<Bound>,
    name: string,
    work: (header: Headers) => Promise<Response>,
    { anyHost = false, isEmbeddable = false }: { anyHost?: boolean; isEmbeddable?: boolean } = {},
  ): Promise<Response> => {
    const request = requestId()
    const startedAt = performance.now()
    const header: Headers = (one) => context.req.header(one)
    let response: Response
    try {
      if (!anyHost) site.checkHost(header)
      response = await work(header)
    } catch (error) {
      response = refused(error, request, name, log)
    }
    response.headers.set('x-request-id', request)
    response.headers.set('x-content-type-options', 'nosniff')
    response.headers.set('referrer-policy', 'no-referrer')
    response.headers.set('cross-origin-opener-policy', 'same-origin')
    response.headers.set('cross-origin-resource-policy', 'same-origin')
    if (isEmbeddable) embed.open(response, header)
    embed.openScript(response, context.req.path)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
    if (parts.isDraining()) response.headers.set('connection', 'close')
    const seconds = (performance.now() - startedAt) / 1000
    metrics.count('http_requests_total', 1, { route: name, status: String(response.status) })
    metrics.observe('http_request_seconds', seconds, { route: name })
    log('debug', 'request', { request, route: name, status: response.status, ms: Math.round(seconds * 1000) })
    return response
  }

  for (const row of routes) {
    const path = row.path.replace(/\{(\w+)\}/g, ':$1')
    hono.on(row.method.toUpperCase(), path, (context) =>
      answered(context, `${row.method.toUpperCase()} ${row.path}`, (header) => handle(row, context, header, parts), {
        anyHost: row.forPlatforms === true,
        isEmbeddable: embed.isEmbeddable(row),
      }),
    )
  }
  for (const path of new Set(routes.map((row) => row.path))) {
    const rows = routes.filter((row) => row.path === path)
    const methods = rows.map((row) => row.method.toUpperCase())
    const isEmbeddable = rows.some((row) => embed.isEmbeddable(row))
    const refuseMethod = async (context: Context<Bound>, header: Headers): Promise<Response> => {
      const preflight = isEmbeddable && context.req.method === 'OPTIONS' ? embed.preflight(header, methods) : null
      if (preflight) return preflight
      const error = new ParleyError('method_not_allowed', { path, method: context.req.method.slice(0, 20) })
      const response = refused(error, '', 'other', log)
      response.headers.set('allow', [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', '))
      return response
    }
    hono.all(path.replace(/\{(\w+)\}/g, ':$1'), (context) =>
      answered(context, 'other', (header) => refuseMethod(context, header), { isEmbeddable }),
    )
  }
  hono.all('*', (context) =>
    answered(context, 'other', async (header) => {
      const { path, method } = context.req
      const isPage = (method === 'GET' || method === 'HEAD') && !path.startsWith('/v1/') && path !== '/v1'
      if (isPage) return parts.page(path, header)
      throw new ParleyError('not_found', { path: path.slice(0, 100).toWellFormed() })
    }),
  )
  return hono
}

async function handle(row: Route, context: Context<Bound>, header: Headers, parts: AppParts): Promise<Response> {
  const changesSomething = row.method !== 'get'
  if (parts.isClosing() && changesSomething) throw new ParleyError('shutting_down', {}, { retryable: true, retryAfterMs: 2_000 })
  const principal = await allowed(row, context, header, parts)
  const isOpen = row.capability === 'open'
  const body = parts.connections.body(isOpen ? null : principal)
  try {
    if (!isOpen && !changesSomething) await parts.connections.turnIfBusy(principal)
    // The client may have left while its request waited.
    if (context.env.outgoing.destroyed) return new Response(null, { status: clientClosedRequest })
    const limit = row.rawBytes ?? (isOpen && !row.forPlatforms ? Math.min(parts.bodyBytes, bodyLimits.anonymousBytes) : parts.bodyBytes)
    const bytes = changesSomething ? await readBody(context.env.incoming, limit, (size) => body.take(size)) : Buffer.alloc(0)
    return await respond(row, context, header, parts, principal, bytes)
  } finally {
    body.release()
  }
}

async function respond(
  row: Route,
  context: Context<Bound>,
  header: Headers,
  parts: AppParts,
  principal: Principal,
  bytes: Buffer,
): Promise<Response> {
  const changesSomething = row.method !== 'get'
  const { incoming, outgoing } = context.env
  let cookie: string | null = null
  const input: Asked<unknown, unknown, unknown> = {
    params: checked(row.params, context.req.param(), 'path'),
    query: checked(row.query ?? (row.forPlatforms || !row.path.startsWith('/v1/') ? undefined : noQuery), context.req.query(), 'query'),
    body: row.body ? checked(row.body, parseBody(bytes, header('content-type')), 'body') : undefined,
    principal,
    caller: getCaller(principal, header, changesSomething, `${row.method} ${context.req.path}`, bytes),
    ...parts.shownTo(principal),
    mustBeAllowedTo: (effect) => mustBeAllowedTo(principal, row, effect),
    header,
    setCookie(value) {
      cookie = value
    },
    signal: context.req.raw.signal,
    live: (kind) => ({
      signal: parts.connections.live(kind, principal, incoming.socket, { outgoing, bodyBytes: bytes.length }),
      turn: () => parts.connections.turn(principal),
      sent: (size) => parts.connections.sent(size),
    }),
    get raw() {
      const { method, path } = context.req
      return { method, path, query: context.req.query(), headers: context.req.header(), body: bytes }
    },
  }
  const result = await row.handle(input as Asked<never, never, never>).catch((error: unknown) => {
    if (row.capability === 'open' && isFailedProof(error, row)) parts.limitFailures(getAddress(context))
    throw error
  })
  if (isRaw(result)) return result.raw
  const json = row.status === 204 ? null : jsonBody(result)
  parts.connections.responded(json?.length ?? 0)
  const response = new Response(json, { status: row.status, ...(json !== null && { headers: { 'content-type': 'application/json' } }) })
  if (cookie !== null) response.headers.append('set-cookie', cookie)
  return response
}

/** A route without a query refuses one: `?after=…` must not be ignored where there are no pages. */
const noQuery = z.strictObject({})

/** The status web servers log for a client that has left. */
const clientClosedRequest = 499

/** A large one as bytes: outside the heap of JavaScript, and counted as what it is while it waits for its reader. */
function jsonBody(value: unknown): string | Buffer<ArrayBuffer> {
  const text = JSON.stringify(value)
  return text.length < turnLimits.uncountedBytes ? text : Buffer.from(text)
}

/** A foreign page is refused by its origin and does not count: it would use up the attempts of the browser it runs in. */
function isFailedProof(error: unknown, { forPlatforms }: Route): boolean {
  if (!(error instanceof ParleyError) || error.code === 'wrong_origin') return false
  return forPlatforms ? error.status < 500 : error.status === 401
}

const getAddress = (context: Context<Bound>): string => context.env.incoming.socket.remoteAddress ?? 'unknown'

const anonymous: Principal = {
  id: 'anonymous',
  name: 'anonymous',
  author: { id: 'anonymous', name: 'anonymous', role: 'peer' },
  scopes: [],
  credential: 'token',
}

async function allowed(
  row: Route,
  context: Context<Bound>,
  header: Headers,
  { access, site, connections, limitKnown, limitFailures, shownTo }: AppParts,
): Promise<Principal> {
  if (row.capability === 'open') return anonymous
  try {
    const asker = await whoAsks(header, access)
    if (asker && row.or === 'approve' && !can(asker, 'answer') && !can(asker, 'approve') && can(asker, 'read.own')) {
      // One route answers questions and decides approvals: the scope that is missing depends on the question.
      const question = await shownTo(asker)
        .parley.questions.get(context.req.param('id') ?? '')
        .catch(() => null)
      if (question?.approval) mustHave(asker, 'approve')
    }
    const principal = mustBeAllowed(asker, row, row.method !== 'get', header, site)
    limitKnown(principal.id)
    connections.identified(context.env.incoming.socket, principal, context.env.outgoing)
    return principal
  } catch (error) {
    // Guessing tokens is slowed down by where it comes from.
    if (error instanceof ParleyError && error.status === 401) limitFailures(getAddress(context))
    throw error
  }
}

function checked(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value, { reportInput: true })
  if (!parsed.success) throw toRefusal(parsed.error, where)
  return parsed.data
}

function getCaller(principal: Principal, header: Headers, changesSomething: boolean, target: string, bytes: Buffer): Caller {
  const named = header('x-parley-via')
  if (named !== undefined && !/^[a-z][a-z0-9-]{0,31}$/.test(named))
    throw new ParleyError('bad_request', { field: 'x-parley-via', why: 'is not a short lower-case name' })
  const { author } = principal
  const caller: Caller = {
    by: { kind: 'human', name: author.name, id: author.id, role: author.role },
    via: getVia(principal, named),
  }
  const key = header('idempotency-key')
  if (key === undefined || !changesSomething) return caller
  if (!/^[\x20-\x7e]{1,200}$/.test(key))
    throw new ParleyError('bad_request', { field: 'idempotency-key', why: 'must be 1 to 200 printable characters' })
  // Two callers may choose the same key; each has its own.
  return {
    ...caller,
    once: { key: `${principal.id}:${key}`, request: createHash('sha256').update(`${target}\n`).update(bytes).digest('base64url') },
  }
}

/**
 * Where a request comes from, as others see it in the log. A name of one's own counts from a token that manages alone, such as
 * the terminal's: with the name of a chat app, any other caller could pass off its words as written there.
 */
function getVia(principal: Principal, named: string | undefined): string {
  if (principal.credential === 'cookie') return 'web'
  return named !== undefined && can(principal, 'manage') ? named : 'api'
}

const isRaw = (result: unknown): result is { raw: Response } =>
  typeof result === 'object' && result !== null && 'raw' in result && result.raw instanceof Response

function refused(error: unknown, request: string, route: string, log: Log): Response {
  const { status, words, retryAfterSeconds, isBug } = toFailure(error, request)
  if (isBug) log('error', 'a request met a fault of ours', { request, route, error })
  const response = Response.json({ error: words }, { status })
  if (retryAfterSeconds !== null) response.headers.set('retry-after', String(retryAfterSeconds))
  if (status === 401) response.headers.set('www-authenticate', 'Bearer realm="parley"')
  return response
}
