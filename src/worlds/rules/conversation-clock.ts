import { type ConversationState, type Episode, isLive } from './conversation-state.ts'
import { worldLimits } from './world-limits.ts'

/** The clock stands still while a member is away and while an owner is asked. */
export const isClockRunning = (episode: Episode): boolean =>
  isLive(episode) &&
  episode.sender.isOnline &&
  episode.recipient.isOnline &&
  episode.sender.asksOwnerSince === null &&
  episode.recipient.asksOwnerSince === null

/** The episode with its clock brought to `at`; progress sets it back to zero. */
export function withClock(before: Episode, after: Episode, at: number, isProgress: boolean): Episode {
  const passed = before.idleSince === null ? 0 : Math.max(0, at - before.idleSince)
  return { ...after, idleMs: isProgress ? 0 : before.idleMs + passed, idleSince: isClockRunning(after) ? at : null }
}

export type Deadline = {
  at: number
  why: 'request_expires' | 'kickoff_expires' | 'no_progress' | 'sender_offline' | 'recipient_offline' | 'sender_owner' | 'recipient_owner'
}

/** Every time limit that runs now, the earliest first. */
export function findDeadlines({ episode }: ConversationState): Deadline[] {
  if (episode === null) return []
  if (episode.status === 'pending') return [{ at: episode.expiresAt, why: 'request_expires' }]
  if (!isLive(episode)) return []
  const { kickoff, idleSince, idleMs, respondedAt } = episode
  const deadlines: Deadline[] = []
  if (kickoff?.status === 'queued') deadlines.push({ at: (respondedAt ?? 0) + worldLimits.kickoffMs, why: 'kickoff_expires' })
  if (idleSince !== null) deadlines.push({ at: idleSince + worldLimits.noProgressMs - idleMs, why: 'no_progress' })
  for (const side of ['sender', 'recipient'] as const) {
    const { offlineSince, asksOwnerSince } = episode[side]
    if (offlineSince !== null) deadlines.push({ at: offlineSince + worldLimits.offlineMs, why: `${side}_offline` })
    if (asksOwnerSince !== null) deadlines.push({ at: asksOwnerSince + worldLimits.ownerAnswerMs, why: `${side}_owner` })
  }
  return deadlines.toSorted((one, other) => one.at - other.at)
}

/** When `pass-time` is due next; null if nothing runs out. */
export const nextDeadline = (state: ConversationState): number | null => findDeadlines(state)[0]?.at ?? null
