import { silentLog } from '../../ports/log.ts'
import { latestVersion, migrate, readVersion } from './migrate.ts'
import { PostgresConnection } from './postgres-connection.ts'

/** Version of the server, and of the tables: 0 where there are none yet. */
export type DatabaseReport = { server: string; version: number; latest: number }

/** Looks at a database without changing it. Throws when it cannot be used. */
export async function checkDatabase(url: string, schema = 'parley'): Promise<DatabaseReport> {
  const connection = await PostgresConnection.open(url, silentLog)
  try {
    const client = await connection.connect()
    try {
      const { rows } = await client.query<{ server: string }>("SELECT current_setting('server_version') AS server")
      return { server: rows[0]?.server ?? '', version: await readVersion(client, schema), latest: latestVersion }
    } finally {
      await client.end()
    }
  } finally {
    await connection.close()
  }
}

/** Brings the tables of a database up to date, also while servers run. */
export async function migrateDatabase(url: string, schema = 'parley'): Promise<{ from: number; to: number }> {
  const connection = await PostgresConnection.open(url, silentLog)
  try {
    const client = await connection.connect()
    try {
      const from = await readVersion(client, schema)
      await migrate(client, schema)
      return { from, to: latestVersion }
    } finally {
      await client.end()
    }
  } finally {
    await connection.close()
  }
}
