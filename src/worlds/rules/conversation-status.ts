import type { RequestStatus } from './conversation-events.ts'
import type { Episode } from './conversation-state.ts'
import { isTurnOwed } from './decide-ending.ts'
import { kickoffNextActions } from './kickoff.ts'

export type ChatStatus = 'opening' | 'active' | 'ending' | 'silent' | 'waiting_for_owner' | 'kickoff_failed' | 'ended'

/** Null before the request is accepted. */
export function getChatStatus(episode: Episode): ChatStatus | null {
  if (episode.status !== 'accepted') return null
  const { kickoff, end, sender, recipient } = episode
  if (kickoff?.status === 'failed') return 'kickoff_failed'
  if (end) return 'ended'
  if (sender.asksOwnerSince !== null || recipient.asksOwnerSince !== null) return 'waiting_for_owner'
  if (kickoff?.status === 'queued' || kickoff?.status === 'sent') return 'opening'
  if (sender.asksEnd || recipient.asksEnd) return 'ending'
  return isTurnOwed(episode) ? 'active' : 'silent'
}

/** Next action of a person or agent, and the reason. Values of the wire. */
export type NextStep = { status: RequestStatus; chat: ChatStatus | null; nextAction: string; reason: string }

export function getNextStep(episode: Episode): NextStep {
  const { status, kickoff, end, verdict } = episode
  const chat = getChatStatus(episode)
  if (status === 'pending') return { status, chat, nextAction: 'wait_for_peer_acceptance', reason: verdict.because }
  if (status !== 'accepted')
    return { status, chat, nextAction: 'chat_request_closed', reason: status === 'rejected' ? verdict.because : status }
  if (end && chat === 'ended') return { status, chat, nextAction: 'read_the_report', reason: end.reason }
  if (chat === 'waiting_for_owner') return { status, chat, nextAction: 'wait_for_owner_answer', reason: 'owner_was_asked' }
  return { status, chat, nextAction: kickoffNextActions[kickoff?.status ?? 'skipped'], reason: kickoff?.reason ?? chat ?? status }
}
