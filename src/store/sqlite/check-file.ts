import { DatabaseSync } from 'node:sqlite'

/**
 * What is wrong with a data file, null if it is whole. Opened for reading only: looking at a sick file must not change
 * it, and a running server may hold it.
 */
export function faultOfFile(path: string): string | null {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    try {
      const row = database.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined
      return row?.quick_check === 'ok' ? null : (row?.quick_check ?? 'it gives no answer')
    } finally {
      database.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
