import type { ClientBase } from 'pg'
import { ParleyError } from '../../errors.ts'
import { commitFunction } from './commit-function.ts'
import { functions } from './functions.ts'
import { tables, wordTable } from './schema.ts'

/** Numbered from 1, forward only. Never edited once released: a database is brought up by running what it has not seen. */
const migrations: readonly ((schema: string) => string)[] = [
  (schema) => tables(schema) + functions(schema) + commitFunction(schema),
  // Units that trim a stream.
  commitFunction,
  // Words of events.
  (schema) => wordTable(schema) + commitFunction(schema),
  // Sums are written once for each commit. Functions that commits of an older process still call stay.
  commitFunction,
]

export const latestVersion = migrations.length

/** Serves all schemas of a database; migrations are rare. */
const migrationLock = 0x70726c79

/** Brings the schema up to date. Of several processes that start at once, one does it and the others wait. */
export async function migrate(client: ClientBase, schema: string): Promise<void> {
  if ((await readVersion(client, schema)) === migrations.length) return
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    // Read again under the lock: another process may have been quicker.
    const version = await readVersion(client, schema)
    if (version === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    for (const migration of migrations.slice(version)) await client.query(migration(schema))
    await client.query(
      `INSERT INTO ${schema}.meta (name, value) VALUES ('version', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [migrations.length],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** 0 for a schema without tables. */
export async function readVersion(client: ClientBase, schema: string): Promise<number> {
  // From the catalogue itself: to_regclass would answer from a cache that does not know yet what another process made.
  const { rows: known } = await client.query('SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [schema, 'meta'])
  if (known.length === 0) return 0
  const { rows } = await client.query<{ value: number }>(`SELECT value FROM ${schema}.meta WHERE name = 'version'`)
  const version = rows[0]?.value ?? 0
  if (version > migrations.length) throw new ParleyError('store_newer', { found: version, known: migrations.length })
  return version
}
