import type { Client } from 'pg'
import { ParleyError } from '../../errors.ts'
import type { Files } from '../../ports/files.ts'
import { silentLog } from '../../ports/log.ts'
import { type CopyProgress, getPart, moveStates, type PartName, rawParts, type RawRow, type RawStore, type RawValue } from '../raw-store.ts'
import { encodeRowText, rowText } from './encode-units.ts'
import { migrate } from './migrate.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { postgresFiles } from './postgres-files.ts'
import { describePostgresUrl } from './postgres-url.ts'

type Parts = { connection: PostgresConnection; client: Client; schema: string; label: string }

/** The tables of a schema. Refused while a process holds the lock that says it is alive, or a lease that has not ended. */
export async function openPostgresRaw(url: string, schema = 'parley'): Promise<RawStore> {
  const connection = await PostgresConnection.open(url, silentLog)
  let client: Client | undefined
  try {
    client = await connection.connect()
    client.on('error', () => {})
    await migrate(client, schema)
    await assertUnused(client, schema)
    return new PostgresRaw({ connection, client, schema, label: describePostgresUrl(url) })
  } catch (error) {
    // A connection that stays open keeps the command from ending.
    await client?.end()
    await connection.close()
    throw error
  }
}

async function assertUnused(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = $1::regnamespace::oid
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     UNION ALL
     SELECT 1 FROM ${schema}.work WHERE owner LIKE 'lease-%' AND due_at > extract(epoch FROM clock_timestamp()) * 1000 LIMIT 1`,
    [schema],
  )
  if (rows.length > 0) throw new ParleyError('store_locked', { why: 'a server is running on it' })
}

const types: Readonly<Record<string, string>> = {
  position: 'bigint',
  seq: 'bigint',
  epoch: 'bigint',
  version: 'bigint',
  attempts: 'integer',
  at: 'float8',
  due_at: 'float8',
  again_at: 'float8',
  since: 'float8',
  sort: 'float8',
}
const isNumber = (column: string): boolean => column in types
const table = (part: PartName): string => (part === 'row' ? 'view_row' : part)

class PostgresRaw implements RawStore {
  readonly label: string
  readonly files: Files
  readonly #connection: PostgresConnection
  readonly #client: Client
  readonly #schema: string

  constructor({ connection, client, schema, label }: Parts) {
    this.label = label
    this.files = postgresFiles(connection, schema)
    this.#connection = connection
    this.#client = client
    this.#schema = schema
  }

  async identity(): Promise<number> {
    return (await this.#meta('database')) ?? 0
  }

  async isEmpty(): Promise<boolean> {
    for (const { name } of rawParts) if ((await this.count(name)) > 0) return false
    return (await this.files.list('', 1)).length === 0
  }

  async count(part: PartName): Promise<number> {
    const { rows } = await this.#client.query<{ count: string }>(`SELECT count(*) AS count FROM ${this.#schema}.${table(part)}`)
    return Number(rows[0]?.count)
  }

  async read(part: PartName, after: RawRow | null, limit: number): Promise<RawRow[]> {
    const { columns, keys } = getPart(part)
    const key = columns.slice(0, keys)
    const where = after
      ? `WHERE (${key.join(', ')}) > (${key.map((column, index) => `$${index + 2}::${types[column] ?? 'text'}`).join(', ')})`
      : ''
    const selected = columns.map((column) =>
      part === 'work' && column === 'due_at' ? 'CASE WHEN owner IS NULL THEN due_at ELSE 0 END AS due_at' : column,
    )
    const { rows } = await this.#client.query<Record<string, RawValue>>(
      `SELECT ${selected.join(', ')}${part === 'row' ? ', folded, raw' : ''} FROM ${this.#schema}.${table(part)} ${where} ORDER BY ${key.join(', ')} LIMIT $1`,
      [limit, ...(after ?? [])],
    )
    return rows.map((row) => columns.map((column) => readValue(part, column, row)))
  }

  async write(part: PartName, rows: readonly RawRow[], progress: CopyProgress): Promise<void> {
    const { columns } = getPart(part)
    const extendedRows = part === 'row' ? rows.map(withTexts) : rows
    const names = part === 'row' ? [...columns, 'folded', 'raw'] : columns
    const arrays = names.map((_, index) => extendedRows.map((row) => row[index] ?? null))
    const typed = names.map((column, index) => `$${index + 1}::${types[column] ?? 'text'}[]`)
    await this.#change(async () => {
      await this.#client.query(
        `INSERT INTO ${this.#schema}.${table(part)} (${names.join(', ')}) SELECT * FROM unnest(${typed.join(', ')})`,
        arrays,
      )
      await this.#client.query(`UPDATE ${this.#schema}.copy_progress SET progress = $1`, [JSON.stringify(progress)])
    })
  }

  async putBack(events: readonly RawRow[]): Promise<void> {
    const { columns } = getPart('event')
    const arrays = columns.map((_, index) => events.map((event) => event[index] ?? null))
    const typed = columns.map((column, index) => `$${index + 1}::${types[column] ?? 'text'}[]`)
    await this.#client.query(
      `INSERT INTO ${this.#schema}.event (${columns.join(', ')}) SELECT * FROM unnest(${typed.join(', ')}) ON CONFLICT DO NOTHING`,
      arrays,
    )
  }

  async progress(): Promise<CopyProgress | null> {
    const { rows: known } = await this.#client.query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'copy_progress'", [
      this.#schema,
    ])
    if (known.length === 0) return null
    const { rows } = await this.#client.query<{ progress: string }>(`SELECT progress FROM ${this.#schema}.copy_progress`)
    return rows[0] ? (JSON.parse(rows[0].progress) as CopyProgress) : null
  }

  async begin(progress: CopyProgress): Promise<void> {
    await this.#change(async () => {
      await this.#client.query(`CREATE TABLE ${this.#schema}.copy_progress (progress text NOT NULL)`)
      await this.#client.query(`INSERT INTO ${this.#schema}.copy_progress (progress) VALUES ($1)`, [JSON.stringify(progress)])
      await this.#setMeta('moved', moveStates.indexOf('copying'))
    })
  }

  async finish(): Promise<void> {
    const schema = this.#schema
    await this.#change(async () => {
      await this.#client.query(
        `INSERT INTO ${schema}.stream (id, head) SELECT stream, max(seq) FROM ${schema}.event GROUP BY stream ON CONFLICT (id) DO UPDATE SET head = excluded.head`,
      )
      await this.#client.query(`SELECT setval('${schema}.position', max(position)) FROM ${schema}.event HAVING max(position) IS NOT NULL`)
      await this.#client.query(`SELECT setval('${schema}.epoch', max(epoch)) FROM ${schema}.work HAVING max(epoch) > 0`)
      await this.#client.query(`DROP TABLE ${schema}.copy_progress`)
      await this.#setMeta('moved', moveStates.indexOf('here'))
    })
  }

  async moveState(): Promise<(typeof moveStates)[number]> {
    return moveStates[(await this.#meta('moved')) ?? 0] ?? 'moved'
  }

  async setMoveState(state: (typeof moveStates)[number]): Promise<void> {
    await this.#setMeta('moved', moveStates.indexOf(state))
  }

  async close(): Promise<void> {
    await this.#client.end()
    await this.#connection.close()
  }

  async #meta(name: string): Promise<number | null> {
    const { rows } = await this.#client.query<{ value: number }>(`SELECT value FROM ${this.#schema}.meta WHERE name = $1`, [name])
    return rows[0]?.value ?? null
  }

  async #setMeta(name: string, value: number): Promise<void> {
    await this.#client.query(
      `INSERT INTO ${this.#schema}.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, value],
    )
  }

  async #change(change: () => Promise<void>): Promise<void> {
    await this.#client.query('BEGIN')
    try {
      await change()
      await this.#client.query('COMMIT')
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
}

function readValue(part: PartName, column: string, row: Readonly<Record<string, RawValue>>): RawValue {
  if (part === 'row' && column === 'text') return rowText(row as { text: string | null; folded: string; raw: string | null })
  const value = row[column] ?? null
  return value !== null && isNumber(column) ? Number(value) : value
}

/** A row with the columns that PostgreSQL has for its text. */
function withTexts([view, key, grp, sort, text, body]: RawRow): RawRow {
  const encoded = encodeRowText(String(text))
  return [view ?? '', key ?? '', grp ?? '', sort ?? 0, encoded.text, body ?? '', encoded.folded, encoded.raw]
}
