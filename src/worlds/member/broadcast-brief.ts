import type { RequestView } from '../../ports/worlds.ts'
import type { MemberParts } from './member-parts.ts'

export type ApprovedBrief = { text: string; consent: string }

export const broadcastBriefName = (broadcast: string, agent: string): string => `world-broadcast:${broadcast}:${agent}`

/** The brief of the broadcast that a request is part of. The host makes these requests, so none comes with a brief of its own. */
export async function findBroadcastBrief(
  { store }: Pick<MemberParts, 'store'>,
  agent: string,
  { broadcast }: Pick<RequestView, 'broadcast'>,
): Promise<ApprovedBrief | null> {
  if (broadcast === null) return null
  const known = await store.remembered(broadcastBriefName(broadcast, agent))
  return known ? (known.value as ApprovedBrief) : null
}
