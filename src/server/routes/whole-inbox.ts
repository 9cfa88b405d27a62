import type { BuildSummary } from '../../client/builds.ts'
import type { DeliveryView, Inbox, InboxItem, Page, WholeInbox } from '../../shapes/wire.ts'
import type { Messaging } from '../../shapes/messaging.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { HiddenArguments } from '../auth/hidden-arguments.ts'

/** Of builds that wait, and of messages that are stuck. */
export const inboxLimits = { shown: 100, counted: 1_000, page: 200 } as const

/** In these a message stays until a person decides. */
const stuck = ['unknown', 'failed', 'parked', 'partly-sent'] as const satisfies readonly DeliveryView['state'][]

/** Everything that waits for a person: questions of agents first, then failures and builds, then requests of senders, then what went astray. */
export async function wholeInbox(
  parley: Parley,
  messaging: Messaging | undefined,
  hidden: Pick<HiddenArguments, 'inDelivery'>,
  worlds?: Worlds,
): Promise<WholeInbox> {
  const [asked, failed, builds, chats, others, emergency] = await Promise.all([
    parley.inbox(),
    parley.dialogs.failures(),
    waitingBuilds(parley),
    worlds ? chatRequests(worlds) : nothing,
    messaging ? fromChatApps(messaging, hidden) : nothing,
    parley.dialogs.emergency(),
  ])
  const failures = failed.items.map((failure) => ({ kind: 'failure' as const, failure }))
  const count = asked.count + failed.count + builds.count + chats.count + others.count
  return { items: [...asked.items, ...failures, ...builds.items, ...chats.items, ...others.items], count, emergency }
}

const nothing: Inbox = { items: [], count: 0 }

async function waitingBuilds({ builds }: Parley): Promise<Inbox> {
  const matches = await gathered<BuildSummary>([(page) => builds.list({ status: 'waiting', ...page })])
  const shown = await Promise.all(matches.slice(0, inboxLimits.shown).map(({ build_id: build }) => builds.get(build)))
  // One that was answered since the list was read no longer waits.
  const waiting = shown.filter(({ question }) => question !== null)
  return { items: waiting.map((build) => ({ kind: 'build', build })), count: matches.length - (shown.length - waiting.length) }
}

/** Requests of agents of other owners. */
async function chatRequests(worlds: Worlds): Promise<Inbox> {
  const waiting = await worlds.waiting()
  return {
    items: waiting.slice(0, inboxLimits.shown).map((one) => ({ kind: 'chat-request', ...one })),
    count: waiting.length,
  }
}

async function fromChatApps(messaging: Messaging, hidden: Pick<HiddenArguments, 'inDelivery'>): Promise<Inbox> {
  const [asking, strays, held] = await Promise.all([
    messaging.pairings.list('requested'),
    messaging.unclaimed(),
    gathered<DeliveryView>(stuck.map((state) => (page) => messaging.deliveries.list({ state, ...page }))),
  ])
  const newest = held.toSorted((a, b) => b.plannedAt - a.plannedAt).slice(0, inboxLimits.shown)
  const deliveries = await Promise.all(newest.map(hidden.inDelivery))
  const items: InboxItem[] = [
    ...asking.map((pairing) => ({ kind: 'pairing' as const, pairing })),
    ...strays.map((one) => ({ kind: 'unclaimed' as const, unclaimed: one })),
    ...deliveries.map((delivery) => ({ kind: 'delivery' as const, delivery })),
  ]
  return { items, count: asking.length + strays.length + held.length }
}

type List<Item> = (page: { limit: number; after: string | undefined }) => Promise<Page<Item>>

/** The pages of several lists, as far as they are counted. */
async function gathered<Item>(lists: readonly List<Item>[]): Promise<Item[]> {
  const matchingItems: Item[] = []
  for (const list of lists) {
    for (let after: string | undefined; matchingItems.length < inboxLimits.counted;) {
      const { items, next } = await list({ limit: inboxLimits.page, after })
      matchingItems.push(...items)
      if (next === null) break
      after = next
    }
  }
  return matchingItems
}
