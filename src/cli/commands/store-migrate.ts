import type { Given } from '../given.ts'
import { findStorePlace } from '../store-place.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const place = await findStorePlace(terminal, given.text('store'))
  const { describePlace, migrateStore } = await import('../../app/store-place.ts')
  const { from, to } = await migrateStore(place)
  const store = describePlace(place)
  terminal.result({ store, from, to }, () => terminal.words.storeMigrated(store, from, to))
}
