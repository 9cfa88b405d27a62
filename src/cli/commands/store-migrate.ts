import type { CommandFunction } from '../command-row.ts'
import { findStorePlace } from '../store-place.ts'

export const run: CommandFunction = async (terminal, given) => {
  const place = await findStorePlace(terminal, given.text('store'))
  const { describePlace, migrateStore } = await import('../../app/store-place.ts')
  const { from, to } = await migrateStore(place)
  const store = describePlace(place)
  terminal.result({ store, from, to }, () => terminal.words.storeMigrated(store, from, to))
}
