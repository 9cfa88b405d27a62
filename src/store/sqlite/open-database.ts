import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { assertFilesThere, assertUpToDate, readMarker } from './marker.ts'
import { migrate, schemaVersion } from './migrations.ts'
import { createPrivateFile } from './private-file.ts'
import { isBusy, storeFault } from './store-fault.ts'

/** A call waits this long for another process, then fails with `store_locked`. */
const busyTimeoutMs = 5000

const walTries = 200
const walPauseMs = 25

/** At most this much is kept of the write-ahead log after it was copied into the file. */
const walKeptBytes = 64 * 1024 * 1024

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Switching to WAL needs the file alone for a moment, and `busy_timeout` does not cover that. */
function switchToWal(db: DatabaseSync): void {
  let why = 'it cannot be switched to write-ahead logging'
  for (let attempt = 0; attempt < walTries; attempt++) {
    try {
      if (db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] === 'wal') return
    } catch (error) {
      if (!isBusy(error)) throw error
      why = (error as Error).message
    }
    sleep(walPauseMs)
  }
  throw new ParleyError('store_locked', { why }, { retryable: true })
}

export function openDatabase(path: string): DatabaseSync {
  assertFilesThere(path)
  const marker = readMarker(path)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createPrivateFile(path)
  } catch (error) {
    throw new ParleyError('store_unwritable', { why: (error as Error).message }, { cause: error })
  }
  let db: DatabaseSync | undefined
  try {
    // `timeout` is set as the connection opens, before anything else could meet a lock.
    db = new DatabaseSync(path, { timeout: busyTimeoutMs })
    schemaVersion(db)
    assertUpToDate(path, db, marker)
    switchToWal(db)
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = ${walKeptBytes}`,
    )
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    throw storeFault(error)
  }
}
