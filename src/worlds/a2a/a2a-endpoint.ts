import type { AgentCard } from '@a2a-js/sdk'
import { describeError, type Refusal } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { WorldsHost } from '../../ports/worlds.ts'
import type { Committer } from '../../streams/committer.ts'
import type { SigningKey } from '../keys/signing-key.ts'
import { readPublicCode } from '../rules/identity/public-code.ts'
import { buckets } from '../wire/rate.ts'
import { agentCard, cardPath, tenantUrl } from './card.ts'
import { a2aGuests, type Guest } from './guests.ts'
import { a2aLimits, guestKey, worldsRequestHandler } from './request-handler.ts'
import { restBinding, restRefusal } from './rest-binding.ts'
import { sentOnce } from './sent-once.ts'

export type A2aParts = {
  host: WorldsHost
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  /** Signs the cards. */
  key: SigningKey
  origin: () => string
  version: string
}

export type A2aEndpoint = { fetch(request: Request): Promise<Response>; close(): void }

/** A2A 1.0 over JSON-RPC and HTTP+JSON, and 0.3 over JSON-RPC: cards, tasks and streams of every account. The SDK is loaded here and nowhere else. */
export async function a2aEndpoint(parts: A2aParts): Promise<A2aEndpoint> {
  const { host, clock, log, key, origin, version } = parts
  const [sdk, server, errors, compat, legacy] = await Promise.all([
    import('@a2a-js/sdk'),
    import('@a2a-js/sdk/server'),
    import('@a2a-js/sdk/errors'),
    import('@a2a-js/sdk/compat/v0_3'),
    import('@a2a-js/sdk/compat/v0_3/server'),
  ])
  const guests = a2aGuests(host, clock)
  const sign = sdk.generateAgentCardSignature(key.privateKey, { alg: 'EdDSA', kid: key.publicKey, typ: 'JOSE' })
  const mayAsk = buckets(clock, a2aLimits.requestsPerSecond, a2aLimits.requestsAtOnce)

  /** Null for a code that no account has. */
  async function card(tenant: string | null): Promise<AgentCard | null> {
    if (tenant === null)
      return sign(
        agentCard({ origin: origin(), tenant, name: 'Parley world host', description: 'Agents of different owners meet here.', version }),
      )
    const account = await host.call('', 'account.find', { agentCode: tenant })
    if (!account.ok) return null
    const { displayName, agentCode, profile } = account.value
    return sign(agentCard({ origin: origin(), tenant, name: `${displayName}#${agentCode}`, description: profile ?? '', version }))
  }

  const handler = worldsRequestHandler({ host, guests, errors, sendOnce: sentOnce(parts), card })
  const current = new server.JsonRpcTransportHandler(handler)
  const older = new legacy.LegacyJsonRpcTransportHandler(handler)
  const rest = restBinding({ sdk, errors, handler, stream })

  async function sendCard(tenant: string | null): Promise<Response> {
    const tenantCard = await card(tenant)
    if (!tenantCard) return Response.json({ error: describeError('peer_not_found', { code: tenant ?? '' }) }, { status: 404 })
    // Fields of 0.3 beside those of 1.0; they are not covered by the signature.
    const url = tenantUrl(origin(), tenant ?? 'host')
    const body = { ...(sdk.AgentCard.toJSON(tenantCard) as object), url, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' }
    return Response.json(body, { headers: { 'cache-control': 'public, max-age=60' } })
  }

  async function call(request: Request, tenant: string | undefined): Promise<Response> {
    const body = parseBody(await request.text())
    if (!body) return rpcError(null, -32700, 'The body is not a JSON-RPC request.')
    const id = (body['id'] as string | number | null) ?? null
    const name = readGuestName(body)
    const guest = await guests.enter(request.headers.get('authorization'), name)
    if ('refused' in guest) return rpcError(id, -32600, toText(guest.refused), guest.refused.code === 'guest_not_proven' ? 401 : 400)
    if (!mayAsk(guest.account)) return rpcError(id, -32600, 'Too many requests. Wait a second.', 429)
    const params = body['params'] as { tenant?: string } | undefined
    // The path names the tenant: the same name again is dropped, another one is refused.
    if (params?.tenant !== undefined && params.tenant !== '' && params.tenant !== tenant)
      return rpcError(id, -32602, 'params.tenant and the address name different agents.')
    if (params) delete params.tenant
    const isCurrent = compat.isV1JsonRpcMethod(body['method'])
    const headerVersion = request.headers.get(sdk.A2A_VERSION_HEADER) ?? ''
    if (isCurrent && headerVersion !== '' && headerVersion !== '1.0')
      return rpcError(id, -32009, `A2A ${headerVersion} is not supported; use 1.0 or 0.3.`)
    const context = toContext(guest, tenant, isCurrent ? '1.0' : '0.3')
    const answer = await (isCurrent ? current : older).handle(body, context)
    return Symbol.asyncIterator in answer ? stream(answer, request.signal) : Response.json(answer)
  }

  const toContext = (guest: Guest, tenant: string | undefined, requestedVersion: string) =>
    new server.ServerCallContext({
      requestedVersion,
      user: { isAuthenticated: true, userName: guest.account },
      state: new Map<string, unknown>([[guestKey, guest]]),
      ...(tenant === undefined ? {} : { tenant }),
    })

  async function callOverRest(request: Request, path: string, tenant: string | undefined): Promise<Response> {
    const headerVersion = request.headers.get(sdk.A2A_VERSION_HEADER) ?? ''
    if (headerVersion !== '' && headerVersion !== '1.0')
      return restRefusal(400, 'FAILED_PRECONDITION', `A2A ${headerVersion} is not supported here; use 1.0.`)
    const body = request.method === 'POST' ? parseBody(await request.clone().text()) : null
    const guest = await guests.enter(request.headers.get('authorization'), body && readGuestName({ params: body }))
    if ('refused' in guest)
      return guest.refused.code === 'guest_not_proven'
        ? restRefusal(401, 'UNAUTHENTICATED', toText(guest.refused))
        : restRefusal(400, 'INVALID_ARGUMENT', toText(guest.refused))
    if (!mayAsk(guest.account)) return restRefusal(429, 'RESOURCE_EXHAUSTED', 'Too many requests. Wait a second.')
    if (body?.['tenant'] !== undefined && body['tenant'] !== '' && body['tenant'] !== tenant)
      return restRefusal(400, 'INVALID_ARGUMENT', 'tenant and the address name different agents.')
    return rest.answer(request, path, toContext(guest, tenant, '1.0'))
  }

  function stream(answers: AsyncGenerator, signal: AbortSignal): Response {
    const encoder = new TextEncoder()
    let stopKeepAlive = (): void => {}
    const end = (): void => {
      stopKeepAlive()
      void answers.return(undefined)
    }
    const body = new ReadableStream({
      start(controller) {
        const keepAlive = (): void => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': alive\n\n'))
          stopKeepAlive = clock.after(a2aLimits.keepAliveMs, keepAlive)
        }
        stopKeepAlive = clock.after(a2aLimits.keepAliveMs, keepAlive)
        signal.addEventListener('abort', end, { once: true })
        void (async () => {
          try {
            for await (const answer of answers) controller.enqueue(encoder.encode(sdk.formatSSEEvent(answer)))
            controller.close()
          } catch (error) {
            log('warn', 'an A2A stream ended with a fault', { error })
            controller.error(error)
          } finally {
            stopKeepAlive()
          }
        })()
      },
      cancel: end,
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
  }

  return {
    close: () => guests.close(),
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === cardPath) return sendCard(null)
      const [, name = '', below = ''] = /^\/a2a\/([^/]+)\/?(.*)$/.exec(pathname) ?? []
      const tenant = name === 'host' ? undefined : (readPublicCode(name) ?? '')
      if (tenant !== '' && rest.isPath(below)) return callOverRest(request, below, tenant)
      if (tenant === '' || (below !== '' && `/${below}` !== cardPath))
        return Response.json({ error: describeError('not_found', { path: pathname }) }, { status: 404 })
      if (below !== '') return sendCard(tenant ?? null)
      if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
      return call(request, tenant)
    },
  }
}

function toText({ code, details }: Refusal): string {
  const { message, hint } = describeError(code, details)
  return `${message} ${hint}`
}

const rpcError = (id: string | number | null, code: number, message: string, status = 200): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

function parseBody(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The name that a guest gives itself with a message; null if it gives none. */
function readGuestName(body: Record<string, unknown>): string | null {
  const message = (body['params'] as { message?: { metadata?: Record<string, { displayName?: unknown }> } } | undefined)?.message
  const name = Object.values(message?.metadata ?? {}).find((value) => typeof value?.displayName === 'string')?.displayName
  return typeof name === 'string' ? name : null
}
