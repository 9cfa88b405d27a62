import type { HostInput, HostOutput, HostResult, RequestCounts, RequestFilter, RequestView } from '../../ports/worlds.ts'
import { pageSize, readCursor, writeCursor } from '../../shapes/paging.ts'
import type { AccountState } from '../rules/account-state.ts'
import type { OriginType } from '../rules/chat-policy.ts'
import type { ReplyPolicy, Side } from '../rules/conversation-events.ts'
import { accountStream, conversationKey, conversationStream } from '../rules/streams.ts'
import { chainStart } from '../rules/turn-chain.ts'
import { isActiveMember, type WorldState } from '../rules/world-state.ts'
import { findPeer } from './account-operations.ts'
import { done, findRefusal, type HostParts, loadAccount, loadWorld, refused, sha256 } from './host-parts.ts'
import { bucketGroup, hostViews, requestKey, type RequestRecord } from './host-rows.ts'
import { readRequest, toRequestView } from './request-view.ts'

export const requestListLimits = { scanned: 500 } as const

export async function submitRequest(
  parts: HostParts,
  agent: string,
  draft: HostInput<'requests.submit'>,
): Promise<HostResult<HostOutput<'requests.submit'>>> {
  const existing = await readRequest(parts, draft.request, agent)
  if (existing) return done({ request: existing, warnings: [] })
  const lookup = await findPeer(parts, draft.agentCode)
  if (!('peer' in lookup)) return lookup
  const { peer } = lookup
  if (peer.isClosed) return refused('peer_not_reachable')
  const world = draft.world === null ? null : await loadWorld(parts, draft.world)
  const refusal = world && refuseInWorld(world, agent, peer.agent)
  if (refusal) return refusal
  const { request, purpose } = draft
  const at = parts.clock.now()
  const counted = await parts.accounts.handle(accountStream(agent), [{ type: 'count-request', at, request, to: peer.agent, purpose }])
  const origin = { origin: 'chat_request' as const, broadcast: null, replyPolicy: 'any' as const }
  const submitted = findRefusal(counted) ?? (await placeRequest(parts, agent, peer, world, { ...draft, ...origin }))
  if (!submitted.ok) return submitted
  const statedName = draft.displayName?.trim() ?? ''
  const current = peer.displayName ?? ''
  return done({
    request: submitted.value,
    warnings: statedName === '' || statedName === current ? [] : [{ code: 'display_name_stale', given: statedName, current }],
  })
}

function refuseInWorld(world: WorldState, from: string, to: string): ReturnType<typeof refused> | null {
  if (world.seq === 0) return refused('world_not_found', { world: world.world })
  if (world.status !== 'enabled') return refused('world_not_open', { world: world.world, status: world.status })
  if (!isActiveMember(world, from)) return refused('not_a_member', { world: world.world })
  // A muted member talks to no one new; that the other is not there says nothing more about them.
  return !isActiveMember(world, to) || world.members[from]?.isMuted ? refused('peer_not_reachable') : null
}

export type PlacedRequest = Pick<HostInput<'requests.submit'>, 'request' | 'purpose' | 'hasBrief' | 'trace'> & {
  origin: OriginType
  broadcast: string | null
  replyPolicy: ReplyPolicy
}

/** Puts a request into the conversation of the two; its policy decides at once whether it waits for the owner. */
export async function placeRequest(
  parts: HostParts,
  from: string,
  peer: AccountState,
  world: WorldState | null,
  placed: PlacedRequest,
): Promise<HostResult<RequestView>> {
  const { request, purpose, hasBrief, trace, origin, broadcast, replyPolicy } = placed
  const key = conversationKey(from, peer.agent, world?.world ?? null)
  const own = await loadAccount(parts, from)
  const handled = await parts.conversations.handle(conversationStream(key), [
    {
      type: 'submit-request',
      at: parts.clock.now(),
      request,
      from,
      to: peer.agent,
      key,
      world: world?.world ?? null,
      purpose,
      hasBrief,
      origin,
      broadcast,
      replyPolicy,
      dsl: world?.facts.dsl ?? [],
      trace,
      facts: {
        policy: peer.policy,
        isBlocked: Object.hasOwn(peer.blocked, from) || Object.hasOwn(own.blocked, peer.agent),
        isSharedWorld: world !== null && isActiveMember(world, from) && isActiveMember(world, peer.agent),
        isTrusted: peer.trusted.includes(from),
      },
      head: chainStart(request, sha256),
      online: onlineSides(parts, from, peer.agent),
    },
  ])
  const refusal = findRefusal(handled)
  if (refusal) return refusal
  const state = await parts.conversations.known(conversationStream(key))
  // A request that met one of the other side has become part of that one.
  const view = await readRequest(parts, state.episode?.crossing === request ? state.episode.request : request, from)
  return view ? done(view) : refused('chat_request_not_found', { request })
}

export const onlineSides = (parts: HostParts, sender: string, recipient: string): Side[] => [
  ...(parts.isOnline(sender) ? (['sender'] as const) : []),
  ...(parts.isOnline(recipient) ? (['recipient'] as const) : []),
]

export async function getRequest(parts: HostParts, agent: string, request: string): Promise<HostResult<RequestView>> {
  const view = await readRequest(parts, request, agent)
  return view ? done(view) : refused('chat_request_not_found', { request })
}

/** Accepts, rejects or withdraws; the rules say who may do which. */
export async function decideRequest(
  parts: HostParts,
  agent: string,
  request: string,
  type: 'accept-request' | 'reject-request' | 'withdraw-request',
): Promise<HostResult<RequestView>> {
  const row = await parts.store.row(hostViews.request, requestKey(request, agent))
  if (!row) return refused('chat_request_not_found', { request })
  const { key, from, to } = row.body as RequestRecord
  const online = onlineSides(parts, from, to)
  const handled = await parts.conversations.handle(conversationStream(key), [{ type, at: parts.clock.now(), request, by: agent, online }])
  return findRefusal(handled) ?? getRequest(parts, agent, request)
}

/** Filters narrow what is listed; the counts are always those of the whole account. */
export async function listRequests(
  parts: HostParts,
  agent: string,
  { limit, after, ...filter }: HostInput<'requests.list'>,
): Promise<HostResult<HostOutput<'requests.list'>>> {
  const most = pageSize(limit)
  const items: RequestView[] = []
  let cursor = readCursor(after)
  let next: string | null = null
  for (let scanned = 0; scanned < requestListLimits.scanned && next === null;) {
    const rows = await parts.store.rows({ view: hostViews.request, group: agent, limit: most + 1, ...(cursor ? { before: cursor } : {}) })
    for (const row of rows) {
      if (items.length === most) {
        next = cursor ? writeCursor(cursor) : null
        break
      }
      cursor = { sort: row.sort, key: row.key }
      const record = row.body as RequestRecord
      if (!matches(record, agent, filter)) continue
      const view = await toRequestView(parts, record, agent)
      if (filter.agentCode === undefined || view.counterparty.agentCode === filter.agentCode.toUpperCase()) items.push(view)
    }
    scanned += rows.length
    if (rows.length <= most && next === null) break
  }
  return done({ items, next, counts: await countRequests(parts, agent) })
}

function matches(record: RequestRecord, agent: string, { direction, mode, status, world }: RequestFilter): boolean {
  if (direction !== undefined && (direction === 'outbound') !== (record.from === agent)) return false
  if (mode !== undefined && (mode === 'direct') !== (record.world === null)) return false
  return (status === undefined || record.status === status) && (world === undefined || record.world === world)
}

async function countRequests({ store }: HostParts, agent: string): Promise<RequestCounts> {
  const count = (bucket: Parameters<typeof bucketGroup>[1]): Promise<number> =>
    store.countRows(hostViews.bucket, bucketGroup(agent, bucket))
  return {
    pendingInbound: await count('pending_inbound'),
    pendingOutbound: await count('pending_outbound'),
    live: await count('live'),
    ended: await count('ended'),
  }
}
