import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ParleyError, errorMessage } from '../../errors.ts'
import { assertFilesThere, assertUpToDate, readMarker } from './marker.ts'

/**
 * The fault of a data file, null if it is whole. Opened for reading only: looking at a sick file must not change
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
    return errorMessage(error)
  }
}

/** Why the next start would refuse these files, null if it would not: something that was acknowledged is not there. */
export function lackOfFiles(path: string): ParleyError | null {
  try {
    assertFilesThere(path)
    const marker = readMarker(path)
    if (!existsSync(path)) return null
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    try {
      assertUpToDate(path, database, marker)
    } finally {
      database.close()
    }
  } catch (error) {
    // Other faults of the file are reported by `faultOfFile`.
    return error instanceof ParleyError ? error : null
  }
  return null
}
