import { type Refusal, refuse } from '../../errors.ts'
import type { WorldToken } from './boundary/conversation-tokens.ts'
import { judgeRequest, type OriginType, type PolicyFacts } from './chat-policy.ts'
import { type ConversationEvent, otherSide, type ReplyPolicy, type Side, sides, type Trace } from './conversation-events.ts'
import { type ConversationState, type Episode, isLive } from './conversation-state.ts'
import { type Decision, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import { evolveConversation } from './evolve-conversation.ts'
import { makeDeliveries } from './make-deliveries.ts'
import { worldLimits } from './world-limits.ts'

export type RequestCommand =
  | {
      type: 'submit-request'
      request: string
      from: string
      to: string
      key: string
      world: string | null
      purpose: string | null
      hasBrief: boolean
      origin: OriginType
      broadcast: string | null
      replyPolicy: ReplyPolicy
      dsl: WorldToken[]
      /** Of the chat this one grew out of; null for one that a person asked for. */
      trace: Trace | null
      /** Facts that decide whether it is accepted at once. */
      facts: Pick<PolicyFacts, 'policy' | 'isBlocked' | 'isSharedWorld' | 'isTrusted'>
      head: string
      online: Side[]
    }
  | { type: 'accept-request'; request: string; by: string; online: Side[] }
  | { type: 'reject-request'; request: string; by: string }
  | { type: 'withdraw-request'; request: string; by: string }

type Command<Type extends RequestCommand['type']> = Timed<Extract<RequestCommand, { type: Type }>>

export const requestDeciders: Deciders<ConversationState, RequestCommand, ConversationEvent> = {
  'submit-request': submitRequest,
  'accept-request': (state, { at, request, by, online }) => {
    const { episode } = state
    if (!episode || by !== episode.recipient.agent) return refuse('chat_request_not_found', { request })
    if (episode.status === 'accepted') return nothing
    if (episode.status !== 'pending' || episode.expiresAt <= at) return refuseClosed(episode, at)
    return accept(state, { at, by: 'owner', agent: by, crossing: null, online })
  },
  'reject-request': ({ episode }, { at, request, by }) => {
    if (!episode || by !== episode.recipient.agent) return refuse('chat_request_not_found', { request })
    if (episode.status === 'rejected') return nothing
    if (episode.status !== 'pending') return refuseClosed(episode, at)
    return { events: [{ type: 'request.rejected', at, data: { request, by: 'owner' } }] }
  },
  'withdraw-request': ({ episode }, { at, request, by }) => {
    if (!episode || by !== episode.sender.agent) return refuse('chat_request_not_found', { request })
    if (episode.status === 'withdrawn') return nothing
    if (episode.status !== 'pending') return refuseClosed(episode, at)
    return { events: [{ type: 'request.withdrawn', at, data: { request } }] }
  },
}

function submitRequest(state: ConversationState, command: Command<'submit-request'>): Decision<ConversationEvent> {
  const { at, request, from, to, key, world, purpose, hasBrief, origin, broadcast, replyPolicy, dsl, head, online } = command
  const open = state.episode
  // The same request again, such as after a lost answer.
  if (open?.request === request || open?.crossing === request) return nothing
  if (state.earlier.some((episode) => episode.request === request)) return nothing
  const trace = { id: command.trace?.id ?? request, agents: [...(command.trace?.agents ?? []), from] }
  const refusal = refuseRequest(command, trace)
  if (refusal) return refusal
  if (isLive(open)) return refuse('conversation_already_active', { request: open.request, key })
  const verdict = judgeRequest({ ...command.facts, origin, world })
  if (open?.status === 'pending' && open.expiresAt > at) {
    if (open.sender.agent === from) return refuse('request_already_pending', { request: open.request })
    // Both want to talk: the second request accepts the first, and the earlier one opens.
    if (verdict.decision === 'block') return refuse('peer_not_reachable', {})
    return accept(state, { at, by: 'crossing', agent: from, crossing: request, online: online.map(otherSide) })
  }
  const data = { request, from, to, key, world, purpose, hasBrief, origin, broadcast, replyPolicy, dsl, trace, verdict, head }
  const expired: ConversationEvent[] = open?.status === 'pending' ? [{ type: 'request.expired', at, data: { request: open.request } }] : []
  const submitted: ConversationEvent = { type: 'request.submitted', at, data: { ...data, expiresAt: at + worldLimits.requestMs } }
  switch (verdict.decision) {
    case 'block':
      return refuse('peer_not_reachable', {})
    case 'reject':
      return { events: [...expired, submitted, { type: 'request.rejected', at, data: { request, by: 'policy' } }] }
    case 'review':
      return { events: [...expired, submitted] }
    case 'accept': {
      const accepted = accept(evolveConversation(state, submitted), { at, by: 'policy', agent: to, crossing: null, online })
      return 'refused' in accepted ? accepted : { events: [...expired, submitted, ...accepted.events] }
    }
  }
}

function refuseRequest(command: Command<'submit-request'>, trace: Trace): { refused: Refusal } | null {
  const { from, to, purpose } = command
  if (from === to) return refuse('peer_is_self', {})
  // The first agent of a trace was asked by a person; each further one is one hop.
  if (trace.agents.length > worldLimits.chainDepth + 1 || trace.agents.includes(to) || new Set(trace.agents).size < trace.agents.length)
    return refuse('chat_chain_too_long', { depth: trace.agents.length - 1, limit: worldLimits.chainDepth })
  return purpose === null ? null : refuseText('purpose', purpose, worldLimits.purposeChars)
}

type Acceptance = { at: number; by: 'owner' | 'policy' | 'crossing'; agent: string; crossing: string | null; online: Side[] }

/** The acceptance and the kickoff in one decision, so that no accepted request is without one. */
function accept(state: ConversationState, { at, by, agent, crossing, online }: Acceptance): Decision<ConversationEvent> {
  const { request, hasBrief } = state.episode as Episode
  const accepted: ConversationEvent = {
    type: 'request.accepted',
    at,
    data: { request, by, agent, crossing, online: sides.filter((side) => online.includes(side)) },
  }
  const status = !hasBrief ? 'skipped' : online.includes('sender') ? 'sent' : 'queued'
  const kickoff: ConversationEvent = {
    type: 'kickoff.moved',
    at,
    data: { request, status, reason: status === 'queued' ? 'queued_sender_offline' : null },
  }
  const events = [accepted, kickoff]
  return { events: [...events, ...makeDeliveries(events.reduce(evolveConversation, state), at)] }
}

const refuseClosed = ({ request, status, expiresAt }: Episode, at: number): { refused: Refusal } =>
  refuse('chat_request_closed', { request, status: status === 'pending' && expiresAt <= at ? 'expired' : status })
