import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { acceptDatabase, readIdentity, readMarker, removeMarker } from './marker.ts'
import { schemaVersion } from './migrations.ts'
import { buryIfDead, knownOwners } from './owner-lock.ts'
import { storeFault } from './store-fault.ts'

/** Positions of the last event: what was there before and what is there now. Null: not known, or no database. */
export type AcceptedRestore = { before: number | null; now: number | null }

/**
 * Takes the database as it is now for the right one, after a person restored a backup on purpose. Without a database the
 * next start makes an empty one. Only while no server uses it: a running one would go on with the file it has open.
 */
export function acceptRestore(path: string): AcceptedRestore {
  for (const owner of knownOwners(path))
    if (!buryIfDead(path, owner, () => {})) throw new ParleyError('store_locked', { why: 'a server is running on it' })
  const before = readMarker(path)?.position ?? null
  if (!existsSync(path)) {
    removeMarker(path)
    return { before, now: null }
  }
  try {
    const db = new DatabaseSync(path, { timeout: 5_000 })
    try {
      schemaVersion(db)
      acceptDatabase(path, db)
      return { before, now: readIdentity(db).position }
    } finally {
      db.close()
    }
  } catch (error) {
    throw storeFault(error)
  }
}
