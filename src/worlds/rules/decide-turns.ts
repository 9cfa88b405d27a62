import { type Refusal, refuse } from '../../errors.ts'
import type { SilenceReason } from './boundary/agent-output.ts'
import { conversationTokens, readTokens } from './boundary/conversation-tokens.ts'
import { type ConversationEvent, otherSide, type Side, type WrapUpCause } from './conversation-events.ts'
import { type ConversationState, type Episode, findSide, isLive } from './conversation-state.ts'
import { type Decision, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import { evolveConversation } from './evolve-conversation.ts'
import type { KickoffReason } from './kickoff.ts'
import { findLoop, isLoopOverdue } from './loop-stop.ts'
import { makeDeliveries, makeResumption, turnId } from './make-deliveries.ts'
import { worldLimits } from './world-limits.ts'

/** `previous` and `hash` are the links of the chain; `turn` is the number the writer expects. A signature is passed on unread. */
type Link = { turn: number; previous: string; hash: string; signature?: string | undefined }

export type TurnCommand =
  | { type: 'accept-delivery'; request: string; by: string; delivery: string }
  /** `asksOwner`: the text tells the peer that an answer will follow. `asksEnd`: the writer wants to end. */
  | ({
      type: 'reply-delivery'
      request: string
      by: string
      delivery: string
      author: 'agent' | 'owner'
      text: string
      asksOwner: boolean
      asksEnd: boolean
    } & Link)
  | { type: 'silence-delivery'; request: string; by: string; delivery: string; reason: SilenceReason; asksOwner: boolean; asksEnd: boolean }
  /** The owner writes although no delivery waits. */
  | ({ type: 'write-turn'; request: string; by: string; text: string } & Link)
  | { type: 'resume-side'; request: string; by: string }
  | { type: 'note-connection'; request: string; by: string; isOnline: boolean }
  | { type: 'note-change'; request: string; why: 'world' | 'profile' | 'world_closed' }

type Command<Type extends TurnCommand['type']> = Timed<Extract<TurnCommand, { type: Type }>>

export const turnDeciders: Deciders<ConversationState, TurnCommand, ConversationEvent> = {
  'accept-delivery': ({ episode }, { at, request, by, delivery }) => {
    const side = episode && findSide(episode, by)
    if (!episode || !side) return refuse('chat_request_not_found', { request })
    const { inFlight } = episode[side]
    if (inFlight?.delivery !== delivery || inFlight.acceptedAt !== null) return nothing
    return { events: [{ type: 'delivery.accepted', at, data: { request, delivery, side } }] }
  },
  'reply-delivery': replyDelivery,
  'silence-delivery': silenceDelivery,
  'write-turn': (state, command) => {
    const liveSide = findLiveSide(state, command.request, command.by)
    if ('refused' in liveSide) return liveSide
    const { episode, side } = liveSide
    if (episode[side].inFlight || isOpening(episode)) return refuse('delivery_waits', { request: command.request })
    const refusal = refuseTurn(episode, command)
    return refusal ?? { events: addTurn(state, side, { ...command, author: 'owner', delivery: null, asksOwner: false, asksEnd: false }) }
  },
  'resume-side': (state, { at, request, by }) => {
    const liveSide = findLiveSide(state, request, by)
    if ('refused' in liveSide) return liveSide
    if (liveSide.episode[liveSide.side].asksOwnerSince === null) return nothing
    const answered: ConversationEvent = { type: 'side.resumed', at, data: { request, side: liveSide.side } }
    return { events: [answered, ...makeResumption(evolveConversation(state, answered), liveSide.side, at)] }
  },
  'note-connection': ({ episode }, { at, request, by, isOnline }) => {
    const side = episode && findSide(episode, by)
    if (!side || !isLive(episode) || episode[side].isOnline === isOnline) return nothing
    return { events: [{ type: isOnline ? 'side.connected' : 'side.disconnected', at, data: { request, side } }] }
  },
  'note-change': ({ episode }, { at, request, why }) => {
    if (!isLive(episode)) return nothing
    if (why !== 'world_closed') return { events: [{ type: 'context.changed', at, data: { request, why } }] }
    return { events: episode.wrapUps.includes(why) ? [] : [{ type: 'wrap-up.noticed', at, data: { request, why } }] }
  },
}

const isOpening = ({ turns, kickoff }: Episode): boolean => turns === 0 && kickoff?.status !== 'skipped'

function findLiveSide(
  { episode }: ConversationState,
  request: string,
  by: string,
): { episode: Episode; side: Side } | { refused: Refusal } {
  const side = episode && findSide(episode, by)
  if (!episode || !side) return refuse('chat_request_not_found', { request })
  if (episode.status === 'pending') return refuse('request_not_accepted', { request })
  return isLive(episode) ? { episode, side } : refuse('conversation_over', { request })
}

/** Null for a result that may be taken; `'repeated'` for the one that was taken. */
function checkResult(
  { episode }: ConversationState,
  by: string,
  delivery: string,
  result: string,
): { refused: Refusal } | 'repeated' | null {
  const side = episode && findSide(episode, by)
  if (!episode || !side) return refuse('chat_request_not_found', { request: episode?.request ?? '' })
  const { settled, inFlight } = episode[side]
  if (settled?.delivery === delivery) return settled.result === result ? 'repeated' : refuse('delivery_settled', { delivery })
  if (!isLive(episode))
    return refuse(episode.status === 'pending' ? 'request_not_accepted' : 'conversation_over', { request: episode.request })
  return inFlight?.delivery === delivery ? null : refuse('delivery_settled', { delivery })
}

function refuseTurn({ turns, head }: Episode, { text, turn, previous }: { text: string } & Link): { refused: Refusal } | null {
  const refusal = refuseText('text', text, worldLimits.turnChars)
  if (refusal) return refusal
  return turn === turns + 1 && previous === head ? null : refuse('chain_moved', { turn: turns + 1, previous: head })
}

function replyDelivery(state: ConversationState, command: Command<'reply-delivery'>): Decision<ConversationEvent> {
  const checked = checkResult(state, command.by, command.delivery, command.hash)
  if (checked === 'repeated') return nothing
  if (checked) return checked
  const episode = state.episode as Episode
  const side = findSide(episode, command.by) as Side
  if (!episode[side].inFlight?.allowReply) return refuse('reply_not_allowed', { delivery: command.delivery })
  const refusal = refuseTurn(episode, command)
  return refusal ?? { events: addTurn(state, side, command) }
}

type NewTurn = Link & { at: number; text: string; author: 'agent' | 'owner'; delivery: string | null; asksOwner: boolean; asksEnd: boolean }

/** The turn, what it asks for, the limits it reaches, and the deliveries that follow. */
function addTurn(state: ConversationState, side: Side, { at, ...command }: NewTurn): ConversationEvent[] {
  const { request, dsl, sender, recipient } = state.episode as Episode
  const { turn, text, author, delivery, previous, hash, signature } = command
  const tokens = readTokens(text, dsl)
  const writer = side === 'sender' ? sender.agent : recipient.agent
  const reader = side === 'sender' ? recipient.agent : sender.agent
  const vote = tokens.find((token) => token === conversationTokens.like || token === conversationTokens.dislike)
  const events: ConversationEvent[] = [
    {
      type: 'turn.added',
      at,
      data: {
        request,
        turn,
        turnId: turnId(request, turn),
        side,
        author,
        delivery,
        text,
        tokens,
        previous,
        hash,
        ...(signature === undefined ? {} : { signature }),
      },
    },
  ]
  if (vote !== undefined && !Object.hasOwn(state.feedback, writer))
    events.push({ type: 'feedback.given', at, data: { request, from: writer, to: reader, kind: vote } })
  events.push(
    ...asks(state, side, {
      at,
      request,
      asksOwner: command.asksOwner,
      asksEnd: command.asksEnd || tokens.includes(conversationTokens.end),
    }),
  )
  const after = events.reduce(evolveConversation, state)
  const limits = reachedLimits(after, at)
  events.push(...limits)
  return [...events, ...makeDeliveries(limits.reduce(evolveConversation, after), at)]
}

function asks(
  { episode }: ConversationState,
  side: Side,
  { at, request, asksOwner, asksEnd }: { at: number; request: string; asksOwner: boolean; asksEnd: boolean },
): ConversationEvent[] {
  return [
    ...(asksOwner && episode?.[side].asksOwnerSince === null ? [{ type: 'side.rested' as const, at, data: { request, side } }] : []),
    ...(asksEnd && !episode?.[side].asksEnd ? [{ type: 'side.asked-to-end' as const, at, data: { request, side } }] : []),
  ]
}

/** The end or the notice to conclude that a new turn leads to. A loop is told once and closed the second time. */
function reachedLimits({ episode, day }: ConversationState, at: number): ConversationEvent[] {
  const { request, turns, sender, recipient, recent, wrapUps, replyPolicy } = episode as Episode
  const end = (reason: Extract<ConversationEvent, { type: 'conversation.ended' }>['data']['reason']): ConversationEvent[] => [
    { type: 'conversation.ended', at, data: { request, reason, by: null } },
  ]
  if (sender.asksEnd && recipient.asksEnd) return end('both_agreed')
  if (turns >= worldLimits.turns) return end('turns_spent')
  if (day.turns >= worldLimits.pairDayTurns) return end('pair_day_spent')
  if (replyPolicy === 'at_most_one' && recipient.turns > 0) return end('replies_spent')
  const loop = findLoop(recent)
  if ((loop !== null && wrapUps.includes(loop)) || isLoopOverdue(recent)) return end('loop')
  const causes: WrapUpCause[] = [
    ...(loop === null ? [] : [loop]),
    ...(turns * 100 >= worldLimits.turns * worldLimits.wrapUpPercent && !wrapUps.includes('turns') ? (['turns'] as const) : []),
  ]
  return causes.map((why) => ({ type: 'wrap-up.noticed', at, data: { request, why } }))
}

function silenceDelivery(state: ConversationState, command: Command<'silence-delivery'>): Decision<ConversationEvent> {
  const checked = checkResult(state, command.by, command.delivery, 'silent')
  if (checked === 'repeated') return nothing
  if (checked) return checked
  const { at, request, delivery, reason, asksOwner, asksEnd } = command
  const episode = state.episode as Episode
  const side = findSide(episode, command.by) as Side
  const isKickoff = episode[side].inFlight?.kind === 'kickoff'
  const events: ConversationEvent[] = [
    { type: 'delivery.silent', at, data: { request, delivery, side, reason } },
    ...asks(state, side, { at, request, asksOwner, asksEnd }),
  ]
  if (isKickoff && !asksOwner) {
    events.push({ type: 'kickoff.moved', at, data: { request, status: 'failed', reason: kickoffFailure(reason) } })
    events.push({ type: 'conversation.ended', at, data: { request, reason: 'kickoff_failed', by: side } })
    return { events }
  }
  const after = events.reduce(evolveConversation, state)
  const end = endAfterSilence(after.episode as Episode, side)
  if (end) events.push({ type: 'conversation.ended', at, data: { request, ...end } })
  return { events: [...events, ...(end ? [] : makeDeliveries(after, at))] }
}

const kickoffFailure = (reason: SilenceReason): KickoffReason =>
  reason === 'no_reply_token'
    ? 'sender_declined_to_open'
    : reason === 'budget_spent'
      ? 'sender_budget_spent'
      : 'accepted_chat_kickoff_failed'

/** A side that asks to end and says nothing more is done, unless the other side is still writing. */
function endAfterSilence(
  episode: Episode,
  side: Side,
): { reason: 'both_agreed' | 'asked_to_end' | 'both_silent' | 'replies_spent'; by: Side | null } | null {
  const { sender, recipient, silencesInRow, replyPolicy } = episode
  if (sender.asksEnd && recipient.asksEnd) return { reason: 'both_agreed', by: null }
  const other = episode[otherSide(side)]
  const isOtherIdle =
    other.inFlight === null && other.queued.length === 0 && episode[side].queued.length === 0 && other.asksOwnerSince === null
  if (episode[side].asksEnd && isOtherIdle) return { reason: 'asked_to_end', by: side }
  if (silencesInRow >= 2 && isOtherIdle) return { reason: 'both_silent', by: null }
  return replyPolicy !== 'any' && side === 'recipient' && isOtherIdle ? { reason: 'replies_spent', by: null } : null
}
