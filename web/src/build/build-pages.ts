import type { BuildSummary } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { refreshing } from '../link/refreshing.ts'

const pageSize = 20
/** Rows loaded at once. */
const most = 200

let rowLimit = pageSize

/** The newest builds. One source for the column and the page, so that a change is fetched once. */
export const buildPages = refreshing(async (signal): Promise<{ items: BuildSummary[]; hasMore: boolean }> => {
  const { items, next } = await client.builds.list({ limit: rowLimit }, { signal })
  return { items, hasMore: next !== null && rowLimit < most }
})

export function loadMoreBuilds(): void {
  rowLimit = Math.min(most, rowLimit + pageSize)
  buildPages.refresh()
}
