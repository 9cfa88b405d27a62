import type { DeliveryView, Inbox, InboxItem } from '../client/wire.ts'
import type { Messaging } from '../ports/messaging.ts'
import type { Parley } from '../ports/parley.ts'

export const inboxLimits = { deliveriesShown: 100, deliveriesCounted: 1_000, deliveriesPage: 200 } as const

/** In these a message stays until a person decides. */
const stuck = ['unknown', 'failed', 'parked', 'partly-sent'] as const satisfies readonly DeliveryView['state'][]

/** Everything that waits for a person: questions of agents first, then people at the door, then what went astray. */
export async function wholeInbox(parley: Parley, messaging: Messaging | undefined): Promise<Inbox> {
  const asked = await parley.inbox()
  if (!messaging) return asked
  const [pairings, unclaimed, deliveries] = await Promise.all([
    messaging.pairings.list('requested'),
    messaging.unclaimed(),
    stuckDeliveries(messaging),
  ])
  const others: InboxItem[] = [
    ...pairings.map((pairing) => ({ kind: 'pairing' as const, pairing })),
    ...unclaimed.map((one) => ({ kind: 'unclaimed' as const, unclaimed: one })),
    ...deliveries.shown.map((delivery) => ({ kind: 'delivery' as const, delivery })),
  ]
  return { items: [...asked.items, ...others], count: asked.count + pairings.length + unclaimed.length + deliveries.count }
}

async function stuckDeliveries({ deliveries }: Messaging): Promise<{ shown: DeliveryView[]; count: number }> {
  const found: DeliveryView[] = []
  for (const state of stuck) {
    for (let after: string | undefined; found.length < inboxLimits.deliveriesCounted;) {
      const { items, next } = await deliveries.list({ state, limit: inboxLimits.deliveriesPage, after })
      found.push(...items)
      if (next === null) break
      after = next
    }
  }
  const newestFirst = found.toSorted((a, b) => b.plannedAt - a.plannedAt)
  return { shown: newestFirst.slice(0, inboxLimits.deliveriesShown), count: found.length }
}
