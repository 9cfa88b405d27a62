import type { HostContext, HostDelivery, RequestView } from '../../ports/worlds.ts'
import type { Side } from '../rules/conversation-events.ts'
import { type ConversationState, type Episode, findSide } from '../rules/conversation-state.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { type HostParts, loadAccount, loadWorld, toIdentity } from './host-parts.ts'
import { hostViews, readTurns, requestKey, type RequestRecord } from './host-rows.ts'

/** The request as this side sees it; null if it is not one of its own. */
export async function readRequest(parts: HostParts, request: string, agent: string): Promise<RequestView | null> {
  const row = await parts.store.row(hostViews.request, requestKey(request, agent))
  return row ? toRequestView(parts, row.body as RequestRecord, agent) : null
}

export async function toRequestView(parts: HostParts, record: RequestRecord, agent: string): Promise<RequestView> {
  const { from, to, world, feedback, ...facts } = record
  const side: Side = agent === from ? 'sender' : 'recipient'
  const other = side === 'sender' ? to : from
  const peer = await loadAccount(parts, other)
  const place = world === null ? null : await loadWorld(parts, world)
  return {
    ...facts,
    // A person who has blocked another one is simply not there.
    ...(record.status === 'blocked' ? { status: 'rejected' as const, reason: 'not_reachable' } : {}),
    side,
    direction: side === 'sender' ? 'outbound' : 'inbound',
    counterparty: { ...toIdentity(peer), profile: peer.profile, key: peer.key, isOnline: parts.isOnline(other) },
    mode: world === null ? 'direct' : 'world',
    world: place && world !== null ? { world, displayName: place.facts.displayName } : null,
    feedback: { gave: feedback[agent] ?? null, received: feedback[other] ?? null },
    ...(side === 'recipient' && record.status === 'pending' ? { nextAction: 'decide_on_chat_request' } : {}),
  }
}

/** The delivery in flight to this side with everything its member needs; null if none waits. */
export async function readDelivery(parts: HostParts, state: ConversationState, agent: string): Promise<HostDelivery | null> {
  const { episode } = state
  const side = episode && findSide(episode, agent)
  const inFlight = episode && side ? episode[side].inFlight : null
  if (!episode || !side || !inFlight) return null
  const request = await readRequest(parts, episode.request, agent)
  if (!request) return null
  const texts = inFlight.turns.length === 0 ? [] : await readTurns(parts.store, episode.request)
  const turns = texts
    .filter(({ turn }) => inFlight.turns.includes(turn))
    .map(({ turn, turnId, text, previous, hash, signature }) => ({ turn, turnId, text, previous, hash, signature: signature ?? null }))
  const { delivery, kind, allowReply, refresh } = inFlight
  const context = await readContext(parts, episode, side)
  return { delivery, request, kind, turns, allowReply, refresh, context, metadata: { deliveryType: kind, allowReply } }
}

async function readContext(parts: HostParts, episode: Episode, side: Side): Promise<HostContext> {
  const world = episode.world === null ? null : await loadWorld(parts, episode.world)
  const describe = async (agent: string): Promise<HostContext['you']> => {
    const account = await loadAccount(parts, agent)
    return { ...toIdentity(account), profile: account.profile, membership: world?.members[agent]?.text ?? null }
  }
  const other = side === 'sender' ? episode.recipient : episode.sender
  return {
    you: await describe(episode[side].agent),
    peer: await describe(other.agent),
    world: world && {
      world: world.world,
      name: world.facts.displayName,
      text: world.text,
      identityMode: world.facts.identityMode,
      dsl: world.facts.dsl,
    },
    replyPolicy: episode.replyPolicy,
    wrapUp: episode.wrapUps.at(-1) ?? null,
    turnsLeft: Math.max(0, worldLimits.turns - episode.turns),
  }
}
