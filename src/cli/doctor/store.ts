import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shortPath } from '../places.ts'
import { type Finding, type Patient, note, ok, wrong } from './finding.ts'

/** Opened for reading only: looking at a sick file must not change it, and a running server may hold it. */
export async function checkStore({ places, terminal }: Patient): Promise<Finding> {
  const file = join(places.data, 'parley.db')
  const shown = shortPath(file, terminal.cwd)
  if (!existsSync(file)) return note('store', 'There is no data yet.', 'parley demo')
  const { DatabaseSync } = await import('node:sqlite')
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    try {
      const row = database.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined
      if (row?.quick_check === 'ok') return ok('store', `${shown} opens and is whole.`)
      return wrong(
        'store',
        `${shown} is damaged: ${row?.quick_check ?? 'no answer'}.`,
        'Keep the folder, restore a backup beside it: parley explain store_damaged',
      )
    } finally {
      database.close()
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return wrong('store', `${shown} cannot be opened: ${why}.`, 'parley explain store_damaged')
  }
}
