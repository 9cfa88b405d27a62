import type { HostDelivery, HostResult } from '../../ports/worlds.ts'
import { conversationStream } from '../rules/streams.ts'
import { done, type HostParts, refused } from './host-parts.ts'
import { hostViews, requestKey, type RequestRecord } from './host-rows.ts'
import { readDelivery } from './request-view.ts'

/** The delivery of a request that waits for a result of the caller. For those who ask instead of being told, such as A2A guests. */
export async function findWaitingDelivery(
  parts: HostParts,
  agent: string,
  request: string,
): Promise<HostResult<{ delivery: HostDelivery | null }>> {
  const row = await parts.store.row(hostViews.request, requestKey(request, agent))
  if (!row) return refused('chat_request_not_found', { request })
  const state = await parts.conversations.load(conversationStream((row.body as RequestRecord).key))
  return done({ delivery: state.episode?.request === request ? await readDelivery(parts, state, agent) : null })
}
