import assert from 'node:assert/strict'
import type { Store, ViewRow } from '../../src/ports/store.ts'
import { bookkeepingViews, foldedViews, foldViews } from '../../src/app/stream-kinds.ts'
import type { MemoryBacking } from '../../src/store/memory/memory-backing.ts'

/** Every row there is follows from the log, and everything that follows from it is there. Bookkeeping is left aside by name. */
export async function assertRowsFold(store: Store, backing: MemoryBacking): Promise<void> {
  const knownKeys = new Set([...foldedViews, ...bookkeepingViews])
  assert.deepEqual(
    [...backing.rows.keys()].filter((view) => !knownKeys.has(view)),
    [],
    'each view is folded, or named as bookkeeping',
  )
  const stored: ViewRow[] = []
  for (const view of foldedViews) stored.push(...(await store.rows({ view, limit: 10_000 })))
  const folded = await foldViews(store)
  assert.deepEqual(new Map(stored.map((row) => [`${row.view}/${row.key}`, row])), folded)
}
