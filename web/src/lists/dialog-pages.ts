import { client } from '../link/page-client.ts'
import { refreshing } from '../link/refreshing.ts'

const pageSize = 30
/** Dialogs loaded at once; older ones are found by search. */
const most = 200

let rowLimit = pageSize
let isArchive = false
const source = refreshing(async (signal) => {
  const archived = isArchive
  const { items, next } = await client.dialogs.list({ limit: rowLimit, ...(archived && { archived }) }, { signal })
  return { items, hasMore: next !== null && rowLimit < most, isArchive: archived }
})

/** The pinned and the newest dialogs, as many as were asked for, always read from the top: rows move as dialogs do. */
export const dialogPages = {
  ...source,
  more(): void {
    rowLimit = Math.min(most, rowLimit + pageSize)
    source.refresh()
  },
  /** Archived dialogs alone, or all others. */
  show(archive: boolean): void {
    isArchive = archive
    rowLimit = pageSize
    source.refresh()
  },
}
