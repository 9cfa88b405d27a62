import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { catalogue, type Refusal, refuse } from '../../errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Clock } from '../../ports/clock.ts'
import { type HostResult, isHostOperation } from '../../ports/worlds.ts'
import { frameError } from './calls.ts'
import { acceptedSchema, keptSilentSchema, parseJson, protocolId, replySchema } from './frames.ts'
import type { HostEndpoint, Proven } from './host-endpoint.ts'
import { proofHeader } from './http-calls.ts'
import { requestNonce, type SignedProof } from './proofs.ts'
import { buckets } from './rate.ts'
import { checkScope } from './scope.ts'
import { wsSocket } from './ws-socket.ts'
import type { WireLimits } from './wire-limits.ts'

type Parts = {
  endpoint: HostEndpoint
  /** Answers requests below `/a2a/` and for the card of the host; null when A2A is off. */
  a2a: ((request: Request) => Promise<Response>) | null
  log: Log
  clock: Clock
  limits: WireLimits
  port: number
  hostname: string
}

export type HostServer = { port: number; close(): Promise<void> }

const proofShape = z.strictObject({
  host: z.string().max(300),
  name: z.string().max(60),
  key: z.string().max(60),
  nonce: z.string().max(100),
  at: z.int(),
  signature: z.string().max(400),
})

const resultSchemas = { accepted: acceptedSchema, reply: replySchema, 'kept-silent': keptSilentSchema } as const

/** The public face of a world host: the WebSocket of members, the same calls over HTTP, and A2A. */
export async function hostServer({ endpoint, a2a, log, clock, limits, port, hostname }: Parts): Promise<HostServer> {
  const mayCall = buckets(clock, limits.httpPerSecond, limits.httpAtOnce)

  async function prove(incoming: IncomingMessage, nonce: string): Promise<Proven | { refused: Refusal }> {
    const header = incoming.headers[proofHeader]
    const text = Buffer.from(typeof header === 'string' ? header : '', 'base64url').toString('utf8')
    const parsed = proofShape.safeParse(parseJson(text))
    if (!parsed.success) return refuse('account_not_proven', { why: `the header ${proofHeader} is missing` })
    const proof: SignedProof = parsed.data
    if (!mayCall(proof.name)) return refuse('too_many_requests', { seconds: 1 })
    return endpoint.prove(proof, nonce, incoming.socket.remoteAddress ?? '', 'en')
  }

  async function callOverHttp(incoming: IncomingMessage, operation: string, body: string): Promise<HostResult<unknown>> {
    if (!isHostOperation(operation)) return { ok: false, refusal: refuse('not_found', { path: incoming.url ?? '' }).refused }
    const proven = await prove(incoming, requestNonce(operation, body))
    if ('refused' in proven) return { ok: false, refusal: proven.refused }
    const { input } = (parseJson(body) ?? {}) as { input?: unknown }
    // The proof has opened the account.
    return endpoint.call(proven, operation === 'account.open' ? 'account.view' : operation, operation === 'account.open' ? {} : input)
  }

  async function settleOverHttp(incoming: IncomingMessage, id: string, result: string, body: string): Promise<HostResult<unknown>> {
    const proven = await prove(incoming, requestNonce(`${id}/${result}`, body))
    if ('refused' in proven) return { ok: false, refusal: proven.refused }
    const schema = Object.hasOwn(resultSchemas, result) ? resultSchemas[result as keyof typeof resultSchemas] : null
    const frame = schema?.safeParse({ ...(parseJson(body) as object | null), type: result.replace('-', '_') })
    if (!frame?.success)
      return { ok: false, refusal: refuse('bad_request', { field: 'body', why: 'is not a result of a delivery' }).refused }
    const refusal = checkScope(frame.data, { deliveryId: id, accountId: proven.account })
    return refusal ? { ok: false, refusal: refusal.refused } : endpoint.settle(proven, frame.data)
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://host')
    if (pathname === '/healthz') return sendJson(outgoing, 200, { ok: true, protocol: protocolId, connections: endpoint.connections() })
    const body = await readBody(incoming, limits.memberFrameBytes)
    if (body === null) return sendRefusal(outgoing, refuse('too_large', { limit: limits.memberFrameBytes }).refused)
    if (a2a && (pathname.startsWith('/a2a/') || pathname === '/.well-known/agent-card.json'))
      return sendResponse(outgoing, await a2a(toRequest(incoming, body, outgoing)))
    const [, call] = /^\/v1\/worlds-host\/([\w.-]+)$/.exec(pathname) ?? []
    const [, delivery, result] = /^\/v1\/runtime-deliveries\/([^/]+)\/([\w-]+)$/.exec(pathname) ?? []
    if (incoming.method !== 'POST' || (call === undefined && delivery === undefined))
      return sendRefusal(outgoing, refuse('not_found', { path: incoming.url ?? '' }).refused)
    const answer =
      call === undefined
        ? await settleOverHttp(incoming, decodeURIComponent(delivery ?? ''), result ?? '', body)
        : await callOverHttp(incoming, call, body)
    if (answer.ok) return sendJson(outgoing, 200, { result: answer.value })
    sendRefusal(outgoing, answer.refusal)
  }

  const server = createServer({ headersTimeout: 20_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }, (incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => {
      log('error', 'a request to the world host failed', { error })
      if (outgoing.headersSent) outgoing.destroy()
      else sendJson(outgoing, 500, { error: frameError(refuse('internal', { request: '' }).refused) })
    })
  })
  server.maxConnections = limits.connections * 2
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.memberFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocolId) ? protocolId : false),
  })
  server.on('upgrade', (incoming, socket, head) => {
    if (new URL(incoming.url ?? '/', 'http://host').pathname !== '/ws') return socket.destroy()
    sockets.handleUpgrade(incoming, socket, head, (opened) => endpoint.accept(wsSocket(opened), incoming.socket.remoteAddress ?? ''))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, hostname, resolve))
  return { port: (server.address() as AddressInfo).port, close: () => stop(server, endpoint) }
}

async function stop(server: Server, endpoint: HostEndpoint): Promise<void> {
  endpoint.close()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

function sendJson(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  outgoing.end(JSON.stringify(body))
}

const sendRefusal = (outgoing: ServerResponse, refusal: Refusal): void =>
  sendJson(outgoing, catalogue[refusal.code][1], { error: frameError(refusal) })

/** Null for a body that is too long. */
async function readBody(incoming: IncomingMessage, most: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toRequest(incoming: IncomingMessage, body: string, outgoing: ServerResponse): Request {
  const over = new AbortController()
  outgoing.once('close', () => over.abort())
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  const method = incoming.method ?? 'GET'
  return new Request(`http://${incoming.headers.host ?? 'host'}${incoming.url ?? '/'}`, {
    method,
    headers,
    signal: over.signal,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  })
}

async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (!response.body) return void outgoing.end()
  try {
    await pipeline(Readable.fromWeb(response.body), outgoing)
  } catch {
    // The reader has gone; its stream ends with it.
  }
}
