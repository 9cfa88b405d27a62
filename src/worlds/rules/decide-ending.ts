import { refuse } from '../../errors.ts'
import { findDeadlines } from './conversation-clock.ts'
import type { ConversationEvent, EndReason, Side, WrapUpCause } from './conversation-events.ts'
import { type ConversationState, type Episode, findSide, isLive } from './conversation-state.ts'
import { type Decision, type Deciders, nothing } from './decision.ts'

export type EndingCommand =
  /** `by` is the agent whose owner or whose runtime closes; null for the host. */
  | {
      type: 'close-conversation'
      request: string
      by: string | null
      reason: Extract<EndReason, 'owner_closed' | 'owner_stopped_all' | 'budget_spent' | 'turns_spent' | 'removed_from_world'>
    }
  /** One side used up a share of its own tokens, money or turns. */
  | { type: 'notice-budget'; request: string; why: Extract<WrapUpCause, 'tokens' | 'money' | 'turns'> }
  | { type: 'block-conversation'; request: string; by: string }
  /** Ends whatever ran out by now. Safe to give at any time. */
  | { type: 'pass-time'; request: string }

export const endingDeciders: Deciders<ConversationState, EndingCommand, ConversationEvent> = {
  'close-conversation': ({ episode }, { at, request, by, reason }) => {
    const side = by === null || !episode ? null : findSide(episode, by)
    if (!episode || (by !== null && side === null)) return refuse('chat_request_not_found', { request })
    if (episode.status === 'pending') return refuse('request_not_accepted', { request })
    return isLive(episode) ? ended(episode, at, reason, side) : nothing
  },
  'notice-budget': ({ episode }, { at, request, why }) =>
    !isLive(episode) || episode.wrapUps.includes(why) ? nothing : { events: [{ type: 'wrap-up.noticed', at, data: { request, why } }] },
  'block-conversation': ({ episode }, { at, request, by }) => {
    const side = episode && findSide(episode, by)
    if (!episode || !side) return refuse('chat_request_not_found', { request })
    if (episode.status === 'pending') return { events: [{ type: 'request.blocked', at, data: { request, by } }] }
    return isLive(episode) ? ended(episode, at, 'blocked', side) : nothing
  },
  'pass-time': (state, { at }) => {
    const due = findDeadlines(state).find((deadline) => deadline.at <= at)
    const { episode } = state
    if (!due || !episode) return nothing
    const { request } = episode
    switch (due.why) {
      case 'request_expires':
        return { events: [{ type: 'request.expired', at, data: { request } }] }
      case 'kickoff_expires':
        return {
          events: [
            { type: 'kickoff.moved', at, data: { request, status: 'failed', reason: 'queued_expired' } },
            { type: 'conversation.ended', at, data: { request, reason: 'kickoff_failed', by: 'sender' } },
          ],
        }
      case 'no_progress':
        return ended(episode, at, isTurnOwed(episode) ? 'no_progress' : 'silence', null)
      case 'sender_offline':
      case 'recipient_offline':
        return ended(episode, at, 'member_offline', due.why === 'sender_offline' ? 'sender' : 'recipient')
      case 'sender_owner':
      case 'recipient_owner':
        return ended(episode, at, 'owner_unanswered', due.why === 'sender_owner' ? 'sender' : 'recipient')
    }
  },
}

const ended = ({ request }: Episode, at: number, reason: EndReason, by: Side | null): Decision<ConversationEvent> => ({
  events: [{ type: 'conversation.ended', at, data: { request, reason, by } }],
})

export const isTurnOwed = ({ sender, recipient }: Episode): boolean =>
  [sender, recipient].some(({ inFlight, queued }) => inFlight?.allowReply || queued.length > 0)
