import type { DialogSummary, FailureView } from '../shapes/wire.ts'
import { type Page, type PageRequest, pageSize, readCursor, writeCursor } from '../shapes/paging.ts'
import type { Store } from '../ports/store.ts'
import { dialogView, failureView, sideView } from './rows/dialog-rows.ts'

export const listLimits = {
  inbox: 200,
  tree: 5_000,
  eventsPage: 1_000,
  eventsPageBytes: 100_000,
  gatherChangesMs: 50,
  levels: 1_000,
  /** Rows that one page looks at where a filter leaves some out. */
  scanned: 5_000,
} as const

/** Side dialogs are among them: an agent waits for each, and a person has to find it. */
export async function listFailed(store: Store, query: { text?: string | undefined } & PageRequest): Promise<Page<DialogSummary>> {
  const { items, next } = await listPage<FailureView>(store, failureView, { group: 'open', ...query })
  const rows = await Promise.all(items.map(({ dialog, isSide }) => store.row(isSide ? sideView : dialogView, dialog)))
  return { items: rows.flatMap((row) => (row ? [row.body as DialogSummary] : [])), next }
}

/** The newest first. Rows that `isWanted` leaves out are skipped, within a bound. */
export async function listPage<Item>(
  store: Store,
  view: string,
  { group, text, limit, after }: { group?: string | undefined; text?: string | undefined } & PageRequest,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Page<Item>> {
  const most = pageSize(limit)
  const items: Item[] = []
  let last = readCursor(after)
  for (let scanned = 0; ;) {
    const rows = await store.rows({
      view,
      limit: most + 1,
      ...(group === undefined ? {} : { group }),
      ...(text ? { text } : {}),
      ...(last ? { before: last } : {}),
    })
    for (const [index, row] of rows.slice(0, most).entries()) {
      last = { sort: row.sort, key: row.key }
      if (isWanted(row.body as Item)) items.push(row.body as Item)
      if (items.length === most) return { items, next: index + 1 < rows.length ? writeCursor(last) : null }
    }
    scanned += rows.length
    if (rows.length <= most) return { items, next: null }
    if (scanned >= listLimits.scanned) return { items, next: last ? writeCursor(last) : null }
  }
}
