import type { Outbox } from './outbox/outbox.ts'
import { pageSize, readCursor, writeCursor } from '../shapes/paging.ts'
import type { Messaging } from '../shapes/messaging.ts'

type Query = Parameters<Messaging['deliveries']['list']>[0]

/** Deliveries page by page, the newest first. `next` names the last one of the page. */
export async function getPage(
  outbox: Pick<Outbox, 'list'>,
  { state, search, limit, after }: Query,
): ReturnType<Messaging['deliveries']['list']> {
  const most = pageSize(limit)
  const before = readCursor(after)
  const items = await outbox.list({
    limit: most,
    ...(state !== undefined && { state }),
    ...(search !== undefined && { search }),
    ...(before && { before }),
  })
  const last = items.at(-1)
  return { items, next: last && items.length === most ? writeCursor({ sort: last.plannedAt, key: last.id }) : null }
}
