import type * as Pg from 'pg'
import type { Client, Pool, QueryResultRow } from 'pg'
import { ParleyError } from '../../errors.ts'
import type { Log } from '../../ports/log.ts'
import { isRepeatable, postgresFault } from './postgres-fault.ts'
import { assertPostgresUrl } from './postgres-url.ts'

export const postgresLimits = { connections: 6, connectTimeoutMs: 10_000, statementTimeoutMs: 60_000, repeats: 20 } as const

/** The only file that loads the client library. */
async function loadPg(): Promise<Pick<typeof Pg, 'Client' | 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new ParleyError('package_missing', { package: 'pg', feature: 'PostgreSQL' }, { cause })
  }
}

/** Pool of connections for short statements. Each is one transaction, so a transaction-mode pooler may stand between. */
export class PostgresConnection {
  readonly #pool: Pool
  readonly #newClient: () => Client
  #isClosed = false

  private constructor(pool: Pool, newClient: () => Client) {
    this.#pool = pool
    this.#newClient = newClient
  }

  static async open(url: string, log: Log): Promise<PostgresConnection> {
    assertPostgresUrl(url)
    const pg = await loadPg()
    const settings = {
      connectionString: url,
      connectionTimeoutMillis: postgresLimits.connectTimeoutMs,
      keepAlive: true,
      application_name: 'parley',
    }
    const pool = new pg.Pool({ ...settings, max: postgresLimits.connections, query_timeout: postgresLimits.statementTimeoutMs })
    // Without a listener an idle connection that the server closes would end the process.
    pool.on('error', (fault) => log('warn', 'A connection to PostgreSQL was closed', { fault }))
    return new PostgresConnection(pool, () => new pg.Client(settings))
  }

  /** A connection of its own, for what outlives a transaction: listening, session locks, migrations. */
  async connect(): Promise<Client> {
    const client = this.#newClient()
    try {
      await client.connect()
      return client
    } catch (error) {
      throw postgresFault(error)
    }
  }

  assertOpen(): void {
    if (this.#isClosed) throw new ParleyError('store_closed')
  }

  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.assertOpen()
    try {
      return (await this.#pool.query<Row>(text, [...values])).rows
    } catch (error) {
      this.assertOpen()
      throw postgresFault(error)
    }
  }

  /** A statement that PostgreSQL may undo because of another one. It changed nothing then and runs again. */
  async change<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      this.assertOpen()
      try {
        return (await this.#pool.query<Row>(text, [...values])).rows
      } catch (error) {
        if (!isRepeatable(error) || attempt === postgresLimits.repeats) throw postgresFault(error)
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#pool.end()
  }
}
