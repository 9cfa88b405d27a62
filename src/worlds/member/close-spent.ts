import type { SeatState } from '../rules/seat-state.ts'
import type { MemberParts, OwnAccount } from './member-parts.ts'
import { applyView } from './receive-push.ts'

/** Closes a conversation that has used what its owner allows. False when the host did not close it. */
export async function closeSpent(
  parts: MemberParts,
  account: OwnAccount,
  { request, agent }: SeatState,
  reason: 'turns_spent' | 'budget_spent',
): Promise<boolean> {
  const closed = await parts.host.call(agent, 'conversations.close', { request, reason })
  if (!closed.ok || !closed.value.end) return false
  await applyView(parts, account, closed.value, null)
  return true
}
