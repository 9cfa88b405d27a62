import type { BroadcastResult, HostInput, HostResult } from '../../ports/worlds.ts'
import { broadcastRequest, findBroadcast } from './follow.ts'
import { done, type HostParts, refused } from './host-parts.ts'
import { readRequest } from './request-view.ts'
import { changeWorld } from './world-operations.ts'

/** Makes the broadcast and says what has become of its requests so far; the work behind it makes those that are missing. */
export async function makeBroadcast(
  parts: HostParts,
  agent: string,
  { world, broadcast, purpose }: HostInput<'worlds.broadcast'>,
): Promise<HostResult<BroadcastResult>> {
  const existing = await findBroadcast(parts, world, broadcast)
  if (!existing) {
    const result = await changeWorld(parts, agent, world, { type: 'make-broadcast', broadcast, by: agent, purpose })
    if (!result.ok) return result
  }
  const facts = await findBroadcast(parts, world, broadcast)
  if (!facts || facts.by !== agent) return refused('world_owner_only', { world })
  const views = await Promise.all(facts.to.map((_, index) => readRequest(parts, broadcastRequest(broadcast, index), agent)))
  const count = (...statuses: string[]): number => views.filter((view) => view !== null && statuses.includes(view.status)).length
  return done({
    broadcast,
    created: views.filter((view) => view !== null).length,
    failed: 0,
    pending: facts.to.length - count('accepted', 'rejected', 'blocked', 'withdrawn', 'expired'),
    autoAccepted: count('accepted'),
    rejected: count('rejected', 'blocked'),
  })
}
