import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { ParleyError } from '../../errors.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import { silentLog, type Log } from '../../ports/log.ts'
import type { Hints, Lease, Store, StoredEvent, Unit, UnitResult, ViewRow } from '../../ports/store.ts'
import { clockStepLimits } from '../clock-steps.ts'
import { Listeners } from '../listeners.ts'
import { decodeResults, encodeUnits, foldText, rowText } from './encode-units.ts'
import { LostClaims } from './lost-claims.ts'
import { migrate } from './migrate.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { postgresFiles } from './postgres-files.ts'
import { describePostgresUrl } from './postgres-url.ts'
import { PostgresHints } from './postgres-hints.ts'
import { SilentOwners } from './silent-owners.ts'
import { type EventRow, streamReads, toEvent } from './stream-reads.ts'

export type PostgresOptions = {
  /** As in `postgres://user:password@host:5432/database`. */
  url: string
  /** Installations that share a database have a schema each. */
  schema?: string
  /** Time of this process. Due times and leases follow the database's clock, so it may differ between hosts. */
  clock?: Clock
  /** For tests with a simulated clock: due times and leases follow that clock instead. */
  followsClock?: boolean
  /** Fresh for each process unless given; two live ones must not share a name. */
  owner?: string
  log?: Log
  /** Opens data that was copied elsewhere. */
  ignoresMove?: boolean
}

const eventColumns = 'position, stream, seq, at, type, data'

/**
 * Store for several processes on any number of hosts. Every call is one statement and one transaction, so that a
 * transaction-mode pooler may stand between; only the listener needs a connection of its own. A commit is acknowledged
 * by PostgreSQL with `synchronous_commit`, so it survives what the server survives.
 */
export const postgresStore = async (options: PostgresOptions): Promise<Store> => (await openPostgres(options)).store

/** The store, and files of messages beside it: processes on other hosts read them too. Closing the store closes both. */
export async function openPostgres(options: PostgresOptions): Promise<{ store: Store; files: Files }> {
  const { url, schema = 'parley', clock = systemClock, log = silentLog } = options
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new TypeError(`A schema is named by a-z, 0-9 and _, not ${schema}`)
  const usesDatabaseClock = options.followsClock !== true
  const name = options.owner ?? `${process.pid}-${randomBytes(6).toString('hex')}`
  const connection = await PostgresConnection.open(url, log)
  const listeners = new Listeners((fault) => log('error', 'A listener of the store failed', { fault }))
  const remote = new PostgresHints(connection, listeners, { owner: `live-${name}`, schema, log })
  const canListen = await start(connection, remote, schema, options.ignoresMove === true ? null : describePostgresUrl(url))
  const owner = canListen ? `live-${name}` : `lease-${name}`
  const silent = new SilentOwners(connection, { schema, self: owner, clock, usesDatabaseClock, log })
  let latest = clock.now()
  const reads = streamReads(connection, schema)
  const lostClaims = new LostClaims(connection, schema, owner)
  let closing: Promise<void> | null = null
  if (options.owner !== undefined) await silent.release(owner)

  /** Time here, highest time here so far, and whether the database's clock is the one that counts. */
  const times = (): [number, number, boolean] => {
    const now = clock.now()
    const highest = Math.max(latest, now)
    latest = highest - now > clockStepLimits.ignoredMs ? now : highest
    return [now, highest, usesDatabaseClock]
  }

  const readHorizon = async (): Promise<string> =>
    (await connection.query<{ horizon: string }>(`SELECT ${schema}.horizon() AS horizon`))[0]?.horizon ?? '0'

  const announce = (units: readonly Unit[], results: readonly UnitResult[]): void => {
    const streams = new Map<string, StoredEvent[]>()
    const kinds = new Set<string>()
    for (const [index, result] of results.entries()) {
      if (!result.ok) continue
      for (const event of result.events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
      const { wake = [], lease, settle } = units[index] ?? {}
      for (const { kind } of wake) kinds.add(kind)
      if (lease && settle) kinds.add(lease.kind)
    }
    for (const [stream, events] of streams) {
      const head = events.at(-1)?.seq ?? 0
      listeners.streamChanged(stream, head, events)
      remote.streamChanged(stream, head)
    }
    for (const kind of kinds) announceWork(kind)
  }
  const announceWork = (kind: string): void => {
    listeners.workChanged(kind)
    remote.workChanged(kind)
  }

  const hints: Hints = {
    onStream: (listen) => listeners.onStream(listen),
    onWork: (listen) => listeners.onWork(listen),
    onDelta: (listen) => listeners.onDelta(listen),
    publish(delta) {
      listeners.publish(delta)
      remote.publish(delta)
    },
  }

  const store: Store = {
    owner,
    hints,

    async commit(units) {
      connection.assertOpen()
      if (units.length === 0) return []
      const time = times()
      const encoded = encodeUnits(units, time[0])
      const [found] = await connection.change<{ results: Parameters<typeof decodeResults>[2] }>(
        `SELECT ${schema}.commit_units($1, $2, $3, $4, $5, $6) AS results`,
        [owner, ...time, encoded.units, encoded.texts],
      )
      const results = decodeResults(units, encoded.texts, found?.results ?? [])
      announce(units, results)
      return results
    },

    async read(stream, after, limit, maxBytes) {
      if (maxBytes === undefined) return reads.read({ stream, after, limit })
      const page = `SELECT ${eventColumns} FROM ${schema}.event WHERE stream = $3 AND seq > $4 ORDER BY seq LIMIT $1`
      return (await connection.query<EventRow>(withinBytes(page, 'seq'), [limit, maxBytes, stream, after])).map(toEvent)
    },

    async head(stream) {
      const [found] = await connection.query<{ head: string }>(`SELECT head FROM ${schema}.stream WHERE id = $1`, [stream])
      return Number(found?.head ?? 0)
    },

    async readAll(afterPosition, limit, maxBytes, types) {
      const page = `SELECT ${eventColumns} FROM ${schema}.event WHERE position > $3 AND position <= $4
        AND ($5::text[] IS NULL OR type = ANY ($5)) ORDER BY position LIMIT $1`
      // Two statements: the second one sees everything that the first one found to be complete.
      const rows = await connection.query<EventRow>(withinBytes(page, 'position'), [
        limit,
        maxBytes ?? null,
        afterPosition,
        await readHorizon(),
        types ?? null,
      ])
      return rows.map(toEvent)
    },

    async position() {
      const [found] = await connection.query<{ position: string | null }>(
        `SELECT max(position) AS position FROM ${schema}.event WHERE position <= $1`,
        [await readHorizon()],
      )
      return Number(found?.position ?? 0)
    },

    snapshot: (stream) => reads.snapshot(stream),

    async remembered(key) {
      const [found] = await connection.query<{ value: string }>(`SELECT value FROM ${schema}.once WHERE key = $1`, [key])
      return found ? { value: JSON.parse(found.value) as unknown } : null
    },

    async onceNames(after, limit) {
      return connection.query<{ key: string; at: number }>(
        `SELECT key, at - ${shift('$3', '$4')} AS at FROM ${schema}.once WHERE key > $1 ORDER BY key LIMIT $2`,
        [after, limit, clock.now(), usesDatabaseClock],
      )
    },

    async row(view, key) {
      const [found] = await connection.query<RowRow>(`SELECT * FROM ${schema}.view_row WHERE view = $1 AND key = $2`, [view, key])
      return found ? toRow(found) : null
    },

    async rows({ view, group, text, before, limit }) {
      const rows = await connection.query<RowRow>(
        `SELECT * FROM ${schema}.view_row WHERE view = $1
         AND ($2::text IS NULL OR grp = $2) AND ($3::text IS NULL OR strpos(folded, $3) > 0)
         AND ($4::float8 IS NULL OR (sort, key) < ($4, $5)) ORDER BY sort DESC, key DESC LIMIT $6`,
        [view, group ?? null, text ? foldText(text) : null, before?.sort ?? null, before?.key ?? '', limit],
      )
      return rows.map(toRow)
    },

    async countRows(view, group) {
      const [found] = await connection.query<{ count: string }>(
        `SELECT count(*) AS count FROM ${schema}.view_row WHERE view = $1 AND ($2::text IS NULL OR grp = $2)`,
        [view, group ?? null],
      )
      return Number(found?.count ?? 0)
    },

    async findWords({ words, groups, before, limit }) {
      if (words.length === 0) return []
      const wanted = words.map(({ word, isStart }) => `'${word}'${isStart ? ':*' : ''}`).join(' & ')
      const rows = await connection.query<EventRow>(
        `SELECT ${eventColumns} FROM ${schema}.event WHERE position IN (
           SELECT position FROM ${schema}.word WHERE words @@ $1::tsquery
             AND ($2::text[] IS NULL OR grp = ANY ($2)) AND ($3::bigint IS NULL OR position < $3) ORDER BY position DESC LIMIT $4
         ) ORDER BY position DESC`,
        [wanted, groups ?? null, before ?? null, limit],
      )
      return rows.map(toEvent)
    },

    async indexedTo() {
      const [found] = await connection.query<{ value: number }>(`SELECT value FROM ${schema}.meta WHERE name = 'indexed'`)
      return found?.value ?? 0
    },

    async claim(kind, most, leaseMs) {
      for (const released of await silent.releaseFromTimeToTime()) announceWork(released)
      const rows = await lostClaims.claim(kind, () =>
        connection.change<ClaimRow>(`SELECT * FROM ${schema}.claim_work($1, $2, $3, $4, $5, $6, $7)`, [
          kind,
          most,
          leaseMs,
          owner,
          ...times(),
        ]),
      )
      return rows.map(({ key, epoch, attempts, until, payload }) => ({
        kind,
        key,
        epoch: Number(epoch),
        attempts,
        until,
        payload: payload === null ? null : (JSON.parse(payload) as unknown),
      }))
    },

    async extend(leases, leaseMs) {
      connection.assertOpen()
      if (leases.length === 0) return []
      const [now, highest, db] = times()
      const rows = await connection.change<{ kind: string; key: string; epoch: string }>(
        `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS lease (kind, key, epoch)),
              clock AS (SELECT ${schema}.store_time($6, $7, $8) AS now OFFSET 0)
         UPDATE ${schema}.work w SET due_at = clock.now + $5 FROM given g, clock
         WHERE w.kind = g.kind AND w.key = g.key AND w.epoch = g.epoch AND w.owner = $4 RETURNING w.kind, w.key, w.epoch`,
        [leases.map(({ kind }) => kind), leases.map(({ key }) => key), leases.map(({ epoch }) => epoch), owner, leaseMs, now, highest, db],
      )
      const extended = new Set(rows.map(({ kind, key, epoch }) => `${kind}\n${key}\n${epoch}`))
      return leases.filter(({ kind, key, epoch }: Lease) => !extended.has(`${kind}\n${key}\n${epoch}`))
    },

    async unfinishedSince(ignored) {
      const [found] = await connection.query<{ since: number | null }>(
        `SELECT min(since) - ${shift('$2', '$3')} AS since FROM ${schema}.work WHERE kind <> ALL ($1)`,
        [ignored, clock.now(), usesDatabaseClock],
      )
      return found?.since ?? null
    },

    async nextDue(kind) {
      const [found] = await connection.change<{ due: number | null }>(`SELECT ${schema}.next_due($1, $2, $3, $4) AS due`, [
        kind,
        ...times(),
      ])
      return found?.due ?? null
    },

    async check() {
      await connection.query(`UPDATE ${schema}.meta SET value = $1 WHERE name = 'checked'`, [clock.now()])
    },

    close() {
      closing ??= close()
      return closing
    },
  }
  return { store, files: postgresFiles(connection, schema) }

  async function close(): Promise<void> {
    listeners.clear()
    try {
      for (const kind of await silent.release(owner)) remote.workChanged(kind)
    } catch (fault) {
      // Other processes release it when they see that this owner is gone.
      log('warn', 'Could not give back work while closing', { fault })
    }
    await remote.close()
    await connection.close()
  }
}

/** Difference between the database's clock and that of this process; zero where the latter counts. */
const shift = (process: string, db: string): string =>
  `(CASE WHEN ${db} THEN extract(epoch FROM clock_timestamp())::float8 * 1000 - ${process}::float8 ELSE 0 END)`

/** A page up to `$2` bytes of data, measured by the server, at least one event. */
const withinBytes = (page: string, order: string): string =>
  `SELECT ${eventColumns} FROM (
     SELECT *, sum(octet_length(data)) OVER (ORDER BY ${order}) AS bytes, row_number() OVER (ORDER BY ${order}) AS number FROM (${page}) AS page
   ) AS measured WHERE number = 1 OR $2::float8 IS NULL OR bytes <= $2 ORDER BY ${order}`

/** `label` names the store in the refusal of moved data; null accepts it. */
async function start(connection: PostgresConnection, remote: PostgresHints, schema: string, label: string | null): Promise<boolean> {
  try {
    const client = await connection.connect()
    try {
      await migrate(client, schema)
      if (label !== null) await assertNotMoved(client, schema, label)
    } finally {
      await client.end()
    }
    return await remote.start()
  } catch (error) {
    await remote.close()
    await connection.close()
    throw error
  }
}

async function assertNotMoved(client: ClientBase, schema: string, store: string): Promise<void> {
  const { rows } = await client.query<{ value: number }>(`SELECT value FROM ${schema}.meta WHERE name = 'moved' AND value > 0`)
  if (rows[0]) throw new ParleyError(rows[0].value === 1 ? 'copy_unfinished' : 'store_moved', { store })
}

type RowRow = {
  view: string
  key: string
  grp: string
  sort: number
  folded: string
  text: string | null
  raw: string | null
  body: string
}
type ClaimRow = { key: string; epoch: string; attempts: number; until: number; payload: string | null }

const toRow = ({ view, key, grp, sort, folded, text, raw, body }: RowRow): ViewRow => ({
  view,
  key,
  group: grp,
  sort,
  text: rowText({ folded, text, raw }),
  body: JSON.parse(body) as object,
})
