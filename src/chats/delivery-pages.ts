import type { Outbox } from '../delivery/outbox.ts'
import type { Messaging } from '../ports/messaging.ts'

export const deliveryPage = { usual: 50, most: 200 } as const

type Query = Parameters<Messaging['deliveries']['list']>[0]

/** Deliveries page by page, the newest first. `next` names the last one of the page. */
export async function pageOf(
  outbox: Pick<Outbox, 'list'>,
  { state, search, limit = deliveryPage.usual, after }: Query,
): ReturnType<Messaging['deliveries']['list']> {
  const most = Math.min(limit, deliveryPage.most)
  const [, sort, key] = /^(\d+)~(.+)$/s.exec(after ?? '') ?? []
  const items = await outbox.list({
    limit: most,
    ...(state !== undefined && { state }),
    ...(search !== undefined && { search }),
    ...(sort !== undefined && key !== undefined && { before: { sort: Number(sort), key } }),
  })
  const last = items.at(-1)
  return { items, next: last && items.length === most ? `${last.plannedAt}~${last.id}` : null }
}
