import { isDeepStrictEqual } from 'node:util'
import { deliveryViews } from '../chats/outbox/delivery-rows.ts'
import type { Snapshot, Store, ViewRow } from '../ports/store.ts'
import { foldRows } from '../store/rebuild.ts'
import { shapeVersion } from '../streams/shape-version.ts'
import { streamLimits } from '../streams/stream-handler.ts'
import { foldedKinds, foldedViews } from './stream-kinds.ts'

export const checkLimits = { differences: 50, page: 500 } as const

export type StoreReport = {
  events: number
  rows: number
  snapshots: number
  /** Such as `row dialogs/dlg_1: differs`; at most `checkLimits.differences`, counted in full by `count`. */
  differences: string[]
  count: number
}

/** Folds every event from the first one and compares the outcome with views and snapshots. */
export async function checkStore(store: Store): Promise<StoreReport> {
  const report: StoreReport = { events: 0, rows: 0, snapshots: 0, differences: [], count: 0 }
  const differ = (what: string): void => {
    report.count += 1
    if (report.differences.length < checkLimits.differences) report.differences.push(what)
  }
  const snapshots = new Map<string, Snapshot>()
  const rows = await foldRows(store, foldedKinds, async ({ stream, seq }, kind) => {
    report.events += 1
    // The first snapshot of a stream is written when it has this many events.
    if (seq === streamLimits.eventsPerSnapshot) {
      const snapshot = await store.snapshot(stream)
      if (snapshot && kind && snapshot.version === shapeVersion(kind.sample)) snapshots.set(stream, snapshot)
    }
    const snapshot = snapshots.get(stream)
    if (snapshot?.seq !== seq) return
    snapshots.delete(stream)
    report.snapshots += 1
    if (!isDeepStrictEqual(snapshot.state, toStored(kind?.state(stream)))) differ(`snapshot ${stream}: differs from its events`)
  })
  for (const stream of snapshots.keys()) differ(`snapshot ${stream}: is ahead of its events`)
  for (const row of rows.values()) {
    const storedRow = await store.row(row.view, row.key)
    report.rows += 1
    // Controls that are long out of date are swept.
    if (storedRow === null && row.view === deliveryViews.controls) continue
    if (storedRow === null) differ(`row ${row.view}/${row.key}: is missing`)
    else if (!isDeepStrictEqual(storedRow, toStored(row))) differ(`row ${row.view}/${row.key}: differs from its events`)
  }
  for (const view of foldedViews) await findSurplus(store, view, rows, differ)
  return report
}

/** As a store gives it back. */
const toStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown

async function findSurplus(store: Store, view: string, rows: ReadonlyMap<string, ViewRow>, differ: (what: string) => void): Promise<void> {
  let before: { sort: number; key: string } | undefined
  for (;;) {
    const page = await store.rows({ view, limit: checkLimits.page, ...(before && { before }) })
    for (const { key } of page) if (!rows.has(`${view}/${key}`)) differ(`row ${view}/${key}: follows from no event`)
    const last = page.at(-1)
    if (!last) return
    before = { sort: last.sort, key: last.key }
  }
}
