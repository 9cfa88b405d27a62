import { isClockRunning, withClock } from './conversation-clock.ts'
import { type ConversationEvent, otherSide, type Side } from './conversation-events.ts'
import { type ConversationState, type Episode, initialSide, isOver, type SideState } from './conversation-state.ts'
import { type Kickoff, normaliseKickoff } from './kickoff.ts'
import { keepPrint, printTurn } from './loop-stop.ts'
import { localSessionKey } from './streams.ts'
import { dayMs, worldLimits } from './world-limits.ts'

/** Applies one event to the state of a conversation. */
export function evolveConversation(before: ConversationState, event: ConversationEvent): ConversationState {
  const state: ConversationState = { ...before, seq: before.seq + 1, updatedAt: event.at }
  if (event.type === 'request.submitted') return withRequest(state, event)
  if (event.type === 'feedback.given') return { ...state, feedback: { ...state.feedback, [event.data.from]: event.data.kind } }
  if (!state.episode) return state
  const episode = evolveEpisode(state.episode, event)
  const isProgress = event.type === 'turn.added' || event.type === 'delivery.silent' || event.type === 'request.accepted'
  const clocked = withClock(state.episode, episode, event.at, isProgress)
  return {
    ...state,
    episode: isOver(clocked) ? closed(clocked) : clocked,
    day: event.type === 'turn.added' ? countDay(state, event.at) : state.day,
  }
}

/** Nothing waits in an episode that is over. */
const closed = (episode: Episode): Episode => ({
  ...episode,
  idleSince: null,
  sender: { ...episode.sender, inFlight: null, queued: [], asksOwnerSince: null },
  recipient: { ...episode.recipient, inFlight: null, queued: [], asksOwnerSince: null },
})

const countDay = ({ day }: ConversationState, at: number): ConversationState['day'] => {
  const today = Math.floor(at / dayMs)
  return { day: today, turns: day.day === today ? day.turns + 1 : 1 }
}

function withRequest(state: ConversationState, { at, data }: Extract<ConversationEvent, { type: 'request.submitted' }>): ConversationState {
  const { from, to, key, ...facts } = data
  const last = state.episode
  const summary = last && {
    request: last.request,
    from: last.sender.agent,
    status: last.status,
    turns: last.turns,
    reason: last.end?.reason ?? null,
    at: last.end?.at ?? last.respondedAt ?? last.createdAt,
  }
  const episode: Episode = {
    ...facts,
    status: 'pending',
    createdAt: at,
    respondedAt: null,
    acceptedBy: null,
    crossing: null,
    kickoff: null,
    sender: initialSide(from),
    recipient: initialSide(to),
    turns: 0,
    deliveries: 0,
    recent: [],
    silencesInRow: 0,
    wrapUps: [],
    idleMs: 0,
    idleSince: null,
    end: null,
  }
  return { ...state, key, episode, earlier: summary ? [...state.earlier, summary].slice(-worldLimits.endedEpisodes) : state.earlier }
}

type EpisodeEvent = Exclude<ConversationEvent, { type: 'request.submitted' | 'feedback.given' }>

function evolveEpisode(episode: Episode, event: EpisodeEvent): Episode {
  switch (event.type) {
    case 'request.accepted':
      return afterAccept(episode, event)
    case 'request.rejected':
      return { ...episode, status: 'rejected', respondedAt: event.at }
    case 'request.withdrawn':
      return { ...episode, status: 'withdrawn', respondedAt: event.at }
    case 'request.blocked':
      return { ...episode, status: 'blocked', respondedAt: event.at }
    case 'request.expired':
      return { ...episode, status: 'expired', respondedAt: event.at }
    case 'kickoff.moved': {
      const { status, reason } = event.data
      return withKickoff(episode, { status, reason, ...(status === 'failed' ? { failedAt: event.at } : {}) })
    }
    case 'delivery.made':
      return afterDelivery(episode, event)
    case 'delivery.accepted':
      return afterReceipt(episode, event.data.side, event.at)
    case 'delivery.silent': {
      const { side, delivery, reason } = event.data
      const isCounted = reason !== 'reply_not_allowed' && reason !== 'waiting_for_owner'
      const current = afterReceipt(episode, side, event.at)
      const settled = withSide(current, side, { inFlight: null, settled: { delivery, result: 'silent' } })
      return { ...settled, silencesInRow: episode.silencesInRow + (isCounted ? 1 : 0) }
    }
    case 'turn.added':
      return afterTurn(episode, event)
    case 'side.asked-to-end':
      return withSide(episode, event.data.side, { asksEnd: true })
    case 'side.rested':
      return withSide(episode, event.data.side, { asksOwnerSince: event.at })
    case 'side.resumed':
      return withSide(episode, event.data.side, { asksOwnerSince: null })
    case 'side.connected':
      return withSide(episode, event.data.side, { isOnline: true, offlineSince: null })
    case 'side.disconnected':
      return withSide(episode, event.data.side, { isOnline: false, offlineSince: event.at })
    case 'wrap-up.noticed':
      return withRefresh({ ...episode, wrapUps: [...episode.wrapUps, event.data.why] })
    case 'context.changed':
      return withRefresh(episode)
    case 'conversation.ended':
      return { ...episode, end: { reason: event.data.reason, by: event.data.by, at: event.at } }
  }
}

const withSide = (episode: Episode, side: Side, change: Partial<SideState>): Episode => ({
  ...episode,
  [side]: { ...episode[side], ...change },
})

const withRefresh = (episode: Episode): Episode =>
  withSide(withSide(episode, 'sender', { isRefreshDue: true }), 'recipient', { isRefreshDue: true })

const withKickoff = (episode: Episode, change: Partial<Kickoff>): Episode => ({
  ...episode,
  kickoff: normaliseKickoff({ ...(episode.kickoff ?? emptyKickoff), ...change }),
})

const emptyKickoff: Kickoff = {
  status: 'queued',
  reason: null,
  turnId: null,
  deliveryId: null,
  conversationKey: '',
  localSessionKey: '',
  senderKickoffDeliveredAt: null,
  openerAcceptedAt: null,
  openerDeliveredAt: null,
  liveChatEstablishedAt: null,
  openerTurnId: null,
  openerDeliveryId: null,
  failedAt: null,
}

function afterAccept(episode: Episode, { at, data }: Extract<ConversationEvent, { type: 'request.accepted' }>): Episode {
  const { by, crossing, online } = data
  const connection = (side: Side): Partial<SideState> =>
    online.includes(side) ? { isOnline: true, offlineSince: null } : { isOnline: false, offlineSince: at }
  const connected = withSide(withSide(episode, 'sender', connection('sender')), 'recipient', connection('recipient'))
  const accepted: Episode = { ...connected, status: 'accepted', respondedAt: at, acceptedBy: by, crossing }
  return { ...accepted, idleSince: isClockRunning(accepted) ? at : null }
}

function afterDelivery(episode: Episode, { at, data }: Extract<ConversationEvent, { type: 'delivery.made' }>): Episode {
  const { delivery, side, kind, turns, allowReply, refresh } = data
  const next = withSide(episode, side, {
    inFlight: { delivery, kind, turns, allowReply, refresh, madeAt: at, acceptedAt: null },
    queued: episode[side].queued.filter((turn) => !turns.includes(turn)),
    isRefreshDue: episode[side].isRefreshDue && !refresh,
  })
  const counted = { ...next, deliveries: episode.deliveries + 1 }
  if (kind === 'kickoff') return withKickoff(counted, { deliveryId: delivery })
  return side === 'recipient' && turns.includes(1) ? withKickoff(counted, { openerDeliveryId: delivery }) : counted
}

/** A result proves the receipt, so it is noted with the result as well. */
function afterReceipt(episode: Episode, side: Side, at: number): Episode {
  const { inFlight } = episode[side]
  if (!inFlight || inFlight.acceptedAt !== null) return episode
  const current = withSide(episode, side, { inFlight: { ...inFlight, acceptedAt: at } })
  if (inFlight.kind === 'kickoff') {
    const isQueued = episode.kickoff?.status === 'queued'
    return withKickoff(current, { senderKickoffDeliveredAt: at, ...(isQueued ? { status: 'sent', reason: null } : {}) })
  }
  return side === 'recipient' && inFlight.turns.includes(1) ? withKickoff(current, { openerDeliveredAt: at }) : current
}

function afterTurn(episode: Episode, { at, data }: Extract<ConversationEvent, { type: 'turn.added' }>): Episode {
  const { turn, turnId, side, delivery, text, hash } = data
  const current = delivery === null ? episode : afterReceipt(episode, side, at)
  const own = withSide(current, side, {
    ...(delivery === null ? {} : { inFlight: null, settled: { delivery, result: hash } }),
    turns: current[side].turns + 1,
  })
  const other = otherSide(side)
  const next: Episode = {
    ...withSide(own, other, { queued: [...own[other].queued, turn] }),
    turns: turn,
    head: hash,
    recent: keepPrint(episode.recent, printTurn(episode.recent, turn, at, text)),
    silencesInRow: 0,
  }
  return turn === 1 && episode.kickoff ? withKickoff(next, { turnId, openerTurnId: turnId, openerAcceptedAt: at }) : next
}

/** The record of a request with the names of its conversation, as the wire shows it. */
export const kickoffRecord = ({ key, episode }: ConversationState): Kickoff | null =>
  episode?.kickoff ? { ...episode.kickoff, conversationKey: key, localSessionKey: localSessionKey(key) } : null
