import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrations, schemaVersion } from './migrations.ts'
import { sqliteStore } from './sqlite-store.ts'

/** Brings the tables of a file up to date; 0 before for a file that was not there. */
export async function migrateFile(path: string): Promise<{ from: number; to: number }> {
  const from = existsSync(path) ? readVersion(path) : 0
  await sqliteStore({ path, ignoresMove: true }).close()
  return { from, to: migrations.length }
}

function readVersion(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    return schemaVersion(db)
  } finally {
    db.close()
  }
}
