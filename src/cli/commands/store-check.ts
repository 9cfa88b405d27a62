import { ParleyError } from '../../errors.ts'
import type { Given } from '../given.ts'
import { withProgress } from '../progress.ts'
import { findStorePlace } from '../store-place.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const place = await findStorePlace(terminal, given.text('store'))
  const { checkStoreAt, describePlace } = await import('../../app/store-place.ts')
  const report = await withProgress(terminal, terminal.words.folding, () => checkStoreAt(place))
  const store = describePlace(place)
  const [first] = report.differences
  terminal.result({ store, ...report }, () =>
    first === undefined ? terminal.words.storeChecked(store, report.events, report.rows, report.snapshots) : report.differences,
  )
  if (first !== undefined) throw new ParleyError('store_differs', { count: report.count, first })
}
