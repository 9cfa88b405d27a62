import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { type Refreshing, refreshing } from '../link/refreshing.ts'

const pageSize = 30
/** Dialogs loaded at once; older ones are found by search. */
const most = 200

export type DialogPages = Refreshing<{ items: DialogSummary[]; hasMore: boolean }> & { more(): void }

/** The newest dialogs, as many as were asked for, always read from the top: rows move as dialogs do. */
export function dialogPages(search: string): DialogPages {
  let rowLimit = pageSize
  const source = refreshing(async (signal) => {
    const { items, next } = await client.dialogs.list({ limit: rowLimit, ...(search === '' ? {} : { search }) }, { signal })
    return { items, hasMore: next !== null && rowLimit < most }
  })
  return {
    ...source,
    more() {
      rowLimit = Math.min(most, rowLimit + pageSize)
      source.refresh()
    },
  }
}
