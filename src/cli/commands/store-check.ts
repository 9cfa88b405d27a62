import type { CommandFunction } from '../command-row.ts'
import { ParleyError } from '../../errors.ts'
import { withProgress } from '../progress.ts'
import { findStorePlace } from '../store-place.ts'

export const run: CommandFunction = async (terminal, given) => {
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
