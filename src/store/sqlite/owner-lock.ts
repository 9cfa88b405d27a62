import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { createPrivateFile } from './private-file.ts'
import { isBusy } from './store-fault.ts'

/**
 * Lets one process know that another is dead, on one machine and without waiting for its leases.
 *
 * Each store holds a lock on a file of its own, `<data file>-owner-<name>.lock`. The operating system lets go of it
 * when the process ends, however it ends. A process that can take the lock of another owner knows that it is dead.
 *
 * | who | does | while holding |
 * |---|---|---|
 * | the owner | create, lock, look whether the file is still there (else again) | its lock, for life |
 * | who finds it dead | free its work, remove the file | the dead one's lock |
 *
 * So a file is only removed by a process that holds its lock, and an owner whose fresh file was taken for a dead
 * one's notices and makes a new one. The lock is SQLite's own: it works between processes and inside one, where a
 * plain file lock would be lost as soon as any descriptor of that file is closed.
 */
export class OwnerLock {
  readonly #path: string
  readonly #db: DatabaseSync

  private constructor(path: string, db: DatabaseSync) {
    this.#path = path
    this.#db = db
  }

  static take(dataPath: string, owner: string): OwnerLock {
    const path = lockPath(dataPath, owner)
    for (let attempt = 0; attempt < lockTries; attempt++) {
      createPrivateFile(path)
      const db = lock(path, takeTimeoutMs)
      if (!db) break
      if (existsSync(path)) return new OwnerLock(path, db)
      db.close()
    }
    throw new ParleyError('store_locked', { why: `another process uses it under the name "${owner}"` }, { retryable: true })
  }

  release(): void {
    rmSync(this.#path, { force: true })
    this.#db.close()
  }
}

const lockTries = 20

/** Another process may be checking an earlier owner of this name for a moment. */
const takeTimeoutMs = 500

const prefix = (dataPath: string): string => `${basename(dataPath)}-owner-`

const lockPath = (dataPath: string, owner: string): string =>
  join(dirname(dataPath), `${prefix(dataPath)}${encodeURIComponent(owner)}.lock`)

/** A connection that holds the file alone, null if another process does. */
function lock(path: string, timeoutMs: number): DatabaseSync | null {
  const db = new DatabaseSync(path, { timeout: timeoutMs })
  try {
    // The journal stays in memory: nothing is ever written, and a second file would only be litter.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Owners that have a lock file, alive or dead. */
export function knownOwners(dataPath: string): string[] {
  const owners: string[] = []
  for (const name of readdirSync(dirname(dataPath))) {
    if (!name.startsWith(prefix(dataPath)) || !name.endsWith('.lock')) continue
    try {
      owners.push(decodeURIComponent(name.slice(prefix(dataPath).length, -'.lock'.length)))
    } catch {
      // Not a name we made.
    }
  }
  return owners
}

/** Calls `free` if that owner is dead, while its name cannot be taken again; then removes it. */
export function buryIfDead(dataPath: string, owner: string, free: () => void): boolean {
  const path = lockPath(dataPath, owner)
  if (!existsSync(path)) {
    free()
    return true
  }
  const db = lock(path, 0)
  if (!db) return false
  try {
    free()
    rmSync(path, { force: true })
  } finally {
    db.close()
  }
  return true
}
