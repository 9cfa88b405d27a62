import type { Settle } from '../../ports/store.ts'
import type { WorldsMember } from '../../ports/worlds.ts'
import { pump, type Pump, type Work } from '../../streams/pump.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { findSide, isLive } from '../rules/conversation-state.ts'
import { conversationStream } from '../rules/streams.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { hostWork } from './follow-up.ts'
import type { HostParts } from './host-parts.ts'
import { bucketGroup, hostViews, requestKey, type RequestBucket, type RequestRecord } from './host-rows.ts'
import { readDelivery, readRequest } from './request-view.ts'

export const presenceLimits = {
  concurrentPushes: 64,
  /** Time before a push that was not received is repeated; doubled each time. */
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  /** After a start, members have this long to connect again before they count as offline. */
  reconnectMs: 30_000,
  openRequests: 1_000,
  /** Ended requests that a member is told again when it connects: it may have been away when they ended. */
  endedRequests: 20,
  /** A push to a member who is away is looked at again after this time, for as long as a conversation waits for it. */
  awayRetryMs: 3_600_000,
} as const

/** Which accounts are connected, and what they are told. */
export type Presence = {
  isOnline(agent: string): boolean
  connect(agent: string, member: WorldsMember): () => void
  readonly pushes: Pump
  /** Marks sides as offline that were online when an earlier process ended and did not come back. */
  sweep(): Promise<void>
}

export function presence(parts: Omit<HostParts, 'isOnline'> & { metrics: Metrics }, all: () => HostParts): Presence {
  const { store, committer, clock, log, metrics } = parts
  const members = new Map<string, WorldsMember>()

  /** Open requests of one account, pending ones included. */
  async function listOpen(agent: string): Promise<{ request: string; key: string }[]> {
    const buckets: RequestBucket[] = ['live', 'pending_inbound', 'pending_outbound']
    const rows = await Promise.all(
      buckets.map((bucket) =>
        store.rows({ view: hostViews.bucket, group: bucketGroup(agent, bucket), limit: presenceLimits.openRequests }),
      ),
    )
    return rows.flat().map(({ key, body }) => ({ request: key.slice(0, key.lastIndexOf(':')), key: (body as { key: string }).key }))
  }

  /** The end of a conversation is told to members who were away, too: a report follows from it. */
  async function tellEnded(agent: string): Promise<void> {
    const ended = await store.rows({ view: hostViews.bucket, group: bucketGroup(agent, 'ended'), limit: presenceLimits.endedRequests })
    if (ended.length > 0) await committer.commit({ wake: ended.map(({ key }) => ({ kind: hostWork.push, key, at: clock.now() })) })
  }

  async function note(agent: string, isOnline: boolean): Promise<void> {
    for (const { request, key } of await listOpen(agent)) {
      if (members.has(agent) !== isOnline) return
      await parts.conversations.handle(conversationStream(key), [
        { type: 'note-connection', at: clock.now(), request, by: agent, isOnline },
      ])
      if (isOnline) await committer.commit({ wake: [{ kind: hostWork.push, key: requestKey(request, agent), at: clock.now() }] })
    }
  }

  const report = (agent: string, error: unknown): void =>
    log('warn', 'the connection of an account could not be recorded', { agent, error })

  async function push({ lease }: Work): Promise<void> {
    const [request = '', agent = ''] = lease.key.split(':')
    const member = members.get(agent)
    const settle = async (how: Settle): Promise<void> => void (await committer.commit({ lease, settle: how }))
    const row = await store.row(hostViews.request, lease.key)
    if (!row) return settle('done')
    if (!member) {
      const isOld = clock.now() - (row.body as RequestRecord).updatedAt > worldLimits.offlineMs
      return settle(isOld ? 'done' : { retryAt: clock.now() + presenceLimits.awayRetryMs, forgive: true })
    }
    const { key } = row.body as RequestRecord
    const state = await parts.conversations.load(conversationStream(key))
    const { episode } = state
    const side = episode?.request === request ? findSide(episode, agent) : null
    const waits = episode && side && isLive(episode) && episode[side].inFlight?.acceptedAt === null
    const delivery = waits ? await readDelivery(all(), state, agent) : null
    try {
      if (delivery) {
        await member.receive({ type: 'delivery', delivery })
        await parts.conversations.handle(conversationStream(key), [
          { type: 'accept-delivery', at: clock.now(), request, by: agent, delivery: delivery.delivery },
        ])
      } else {
        const view = await readRequest(all(), request, agent)
        if (view) await member.receive({ type: 'request.updated', request: view })
      }
      await settle('done')
    } catch (error) {
      log('info', 'a push to a member was not received and is repeated', { agent, request, error })
      const delayMs = Math.min(presenceLimits.longestRetryMs, presenceLimits.firstRetryMs * 2 ** Math.min(lease.attempts - 1, 6))
      await settle({ retryAt: clock.now() + delayMs })
    }
  }

  return {
    isOnline: (agent) => members.has(agent),
    connect(agent, member) {
      members.set(agent, member)
      Promise.all([note(agent, true), tellEnded(agent)]).catch((error: unknown) => report(agent, error))
      return () => {
        if (members.get(agent) !== member) return
        members.delete(agent)
        note(agent, false).catch((error: unknown) => report(agent, error))
      }
    },
    pushes: pump({ store, clock, log, metrics, kind: hostWork.push, slots: presenceLimits.concurrentPushes, handle: push }),
    async sweep() {
      for (let before: { sort: number; key: string } | undefined; ;) {
        const rows = await store.rows({ view: hostViews.open, limit: 500, ...(before ? { before } : {}) })
        for (const { key, body } of rows) {
          const { request } = body as { request: string }
          const { episode } = await parts.conversations.known(conversationStream(key))
          for (const { agent, isOnline } of episode && isLive(episode) ? [episode.sender, episode.recipient] : [])
            if (isOnline && !members.has(agent))
              await parts.conversations.handle(conversationStream(key), [
                { type: 'note-connection', at: clock.now(), request, by: agent, isOnline: false },
              ])
        }
        const last = rows.at(-1)
        if (!last || rows.length < 500) return
        before = { sort: last.sort, key: last.key }
      }
    },
  }
}
