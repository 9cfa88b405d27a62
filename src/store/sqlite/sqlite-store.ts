import { randomBytes, randomInt } from 'node:crypto'
import { ParleyError } from '../../errors.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import { silentLog, type Log } from '../../ports/log.ts'
import type { Lease, Snapshot, Store, StoredEvent, UnitResult, ViewRow } from '../../ports/store.ts'
import { ClockSteps } from '../clock-steps.ts'
import { Listeners } from '../listeners.ts'
import { pageWithin } from '../page-within.ts'
import { upcast } from '../upcasts.ts'
import { DeadOwners } from './dead-owners.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { KnownHeads } from './known-heads.ts'
import { Marker } from './marker.ts'
import { OwnerLock } from './owner-lock.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteTime } from './sqlite-time.ts'
import { noChanges, runUnit, writeSums } from './sqlite-unit.ts'
import { rowQueries, type Statements } from './statements.ts'
import { storeFault } from './store-fault.ts'
import { matchWords } from './word-index.ts'

export type SqliteOptions = {
  path: string
  clock?: Clock
  /** Fresh for each process unless given; two live ones must not share a name. */
  owner?: string
  log?: Log
  /** Opens data that was copied elsewhere. */
  ignoresMove?: boolean
}

/**
 * The embedded store: one file, any number of processes on one machine.
 *
 * A commit is one fsync for all its units. Claims and heartbeats run without one: they are lost by a power cut only
 * together with the process that made them, and then the work is simply claimed again. So say + claim + finish costs
 * two fsyncs (strace: 50 rounds, 100 fsyncs); SQLite syncs its log as a whole, so the finish also makes the claim
 * before it durable.
 *
 * Calls run on the main thread: at full load the event loop's p99 is 6–7 ms, and a worker thread was 15 % slower.
 */
export function sqliteStore({
  path,
  clock = systemClock,
  owner = freshOwner(),
  log = silentLog,
  ignoresMove = false,
}: SqliteOptions): Store {
  const connection = new SqliteConnection(path)
  if (!ignoresMove) assertNotMoved(connection, path)
  const lock = lockOrClose(connection, path, owner)
  const listeners = new Listeners((fault) => log('error', 'A listener of the store failed', { fault }))
  const foreign = new ForeignCommits(connection.sql, listeners, clock, (fault) =>
    log('warn', 'Could not look for commits of other processes', { fault }),
  )
  listeners.watchInterest((wanted) => (wanted ? foreign.start() : foreign.stop()))
  const dead = new DeadOwners(connection, path, owner, { clock, log, onFreed: (kind) => listeners.workChanged(kind) })
  const stored = new SqliteTime(connection, log)
  const time = new ClockSteps(clock, (now, latest) => stored.moveWorkBack(now, latest))
  const listRows = rowQueries(connection.db)
  const heads = new KnownHeads(connection.sql)
  let closed = false
  let marker: Marker

  try {
    stored.moveWorkBack(clock.now())
    dead.freeOwn()
    dead.buryAll()
    marker = connection.change((sql) => {
      sql.nameDatabase.run(randomInt(2 ** 47))
      return Marker.open(path, owner, connection.db)
    })
  } catch (error) {
    connection.close()
    lock.release()
    throw error
  }

  return {
    owner,
    hints: listeners,

    async commit(units) {
      connection.assertOpen()
      if (units.length === 0) return []
      const changes = noChanges()
      const now = time.now()
      const run = (sql: Statements): UnitResult[] => {
        stored.note(sql, now)
        // Under the write lock nothing can change after it.
        heads.look()
        const results = units.map((unit) => runUnit(sql, unit, owner, now, changes, heads))
        writeSums(sql, changes)
        return results
      }
      const isRepeatable = units.every(({ repeatable }) => repeatable)
      let results: UnitResult[]
      try {
        results = isRepeatable ? connection.changeWithoutSync(run) : connection.change(run)
      } catch (fault) {
        heads.clear()
        throw fault
      }
      // The next start must not expect a commit that a power cut may undo.
      if (!isRepeatable) marker.acknowledged(changes.position)
      foreign.committed(changes.position)
      for (const [stream, { head, events }] of changes.streams) {
        heads.learn(stream, head)
        listeners.streamChanged(stream, head, events)
      }
      for (const kind of changes.kinds) listeners.workChanged(kind)
      return results
    },

    async read(stream, after, limit, maxBytes) {
      return connection.ask(({ read }) => {
        heads.refresh()
        const head = heads.get(stream)
        if (head !== undefined && head <= after) return []
        if (maxBytes !== undefined) return pageWithin(read.iterate(stream, after, limit), maxBytes, dataBytes).map(toEvent)
        const rows = read.all(stream, after, limit)
        const last = rows.at(-1)?.['seq'] as number | undefined
        if (rows.length < limit && (last !== undefined || after === 0)) heads.learn(stream, last ?? 0)
        return rows.map(toEvent)
      })
    },

    async head(stream) {
      return connection.ask((sql) => (sql.head.get(stream)?.['head'] as number | null) ?? 0)
    },

    async readAll(afterPosition, limit, maxBytes, types) {
      return connection.ask(({ readAll, readTypes }) => {
        const [query, values] = types ? [readTypes, [afterPosition, JSON.stringify(types), limit]] : [readAll, [afterPosition, limit]]
        const rows = maxBytes === undefined ? query.all(...values) : pageWithin(query.iterate(...values), maxBytes, dataBytes)
        return rows.map(toEvent)
      })
    },

    async position() {
      return connection.ask((sql) => (sql.position.get()?.['position'] as number | null) ?? 0)
    },

    async snapshot(stream) {
      const match = connection.ask((sql) => {
        heads.refresh()
        // A stream without events, such as an emergency stop that was never used, has no snapshot.
        return heads.get(stream) === 0 ? undefined : sql.snapshot.get(stream)
      })
      return match ? ({ ...match, state: JSON.parse(match['state'] as string) as unknown } as Snapshot) : null
    },

    async remembered(key) {
      const entry = connection.ask((sql) => sql.once.get(key))
      return entry ? { value: JSON.parse(entry['value'] as string) as unknown } : null
    },

    async onceNames(after, limit) {
      return connection.ask((sql) => sql.onceNames.all(after, limit).map((found) => ({ ...found }) as { key: string; at: number }))
    },

    async row(view, key) {
      const result = connection.ask((sql) => sql.row.get(view, key))
      return result ? toRow(result) : null
    },

    async rows(query) {
      return connection.ask(() => listRows(query).map(toRow))
    },

    async countRows(view, group) {
      return connection.ask((sql) => (group === undefined ? sql.countView.get(view) : sql.countGroup.get(view, group)))?.['count'] as number
    },

    async findWords({ words, groups, before = Number.MAX_SAFE_INTEGER, limit }) {
      if (words.length === 0 || groups?.length === 0) return []
      return connection.ask((sql) => sql.findWords.all(matchWords({ words, groups }), before, limit).map(toEvent))
    },

    async indexedTo() {
      return connection.ask((sql) => sql.indexedTo.get()?.['position'] as number)
    },

    async claim(kind, most, leaseMs) {
      connection.assertOpen()
      dead.buryFromTimeToTime()
      const now = time.now()
      // Nothing due is the usual case, and it takes no lock and writes nothing.
      if (!connection.ask((sql) => sql.anyDue.get(kind, now))) return []
      return connection.changeWithoutSync((sql) => {
        const due = sql.due.all(kind, now, most) as { key: string; attempts: number; payload: string | null }[]
        if (due.length === 0) return []
        stored.note(sql, now)
        const until = now + leaseMs
        let epoch = (sql.takeEpochs.get(due.length)?.['value'] as number) - due.length
        return due.map(({ key, attempts, payload }): Lease => {
          sql.take.run(until, owner, ++epoch, now, kind, key)
          return { kind, key, epoch, attempts: attempts + 1, until, payload: payload === null ? null : (JSON.parse(payload) as unknown) }
        })
      })
    },

    async extend(leases, leaseMs) {
      connection.assertOpen()
      if (leases.length === 0) return []
      const until = time.now() + leaseMs
      return connection.changeWithoutSync((sql) =>
        leases.filter(({ kind, key, epoch }) => sql.extend.run(until, kind, key, owner, epoch).changes === 0),
      )
    },

    async unfinishedSince(ignored) {
      const kinds = connection.ask((sql) => sql.unfinishedSince.all()) as { kind: string; since: number }[]
      const counted = kinds.filter(({ kind }) => !ignored.includes(kind))
      return counted.reduce<number | null>((first, { since }) => Math.min(first ?? since, since), null)
    },

    async nextDue(kind) {
      connection.assertOpen()
      time.now()
      return connection.ask((sql) => (sql.nextDue.get(kind)?.['due'] as number | null) ?? null)
    },

    async check() {
      connection.change((sql) => sql.check.run(Math.floor(clock.now())))
    },

    async close() {
      if (closed) return
      closed = true
      listeners.clear()
      try {
        dead.freeOwn()
        // Dead owners must not stay in the marker when this is the last process: its close saves what they wrote.
        dead.buryAll()
      } catch (fault) {
        // The next process releases leases of dead owners.
        log('warn', 'Could not give back work while closing', { fault })
      }
      try {
        connection.change(() => marker.close())
      } catch (fault) {
        log('warn', 'Could not note that the store was closed', { fault })
      }
      // The file first: until the lock is released no process considers this owner dead, and after that nothing is written.
      connection.close()
      lock.release()
    },
  }
}

const freshOwner = (): string => `${process.pid}-${randomBytes(6).toString('hex')}`

function lockOrClose(connection: SqliteConnection, path: string, owner: string): OwnerLock {
  try {
    return OwnerLock.take(path, owner)
  } catch (error) {
    connection.close()
    throw storeFault(error)
  }
}

const dataBytes = (found: Record<string, unknown>): number => Buffer.byteLength(found['data'] as string)

function toEvent(found: Record<string, unknown>): StoredEvent {
  const { position, stream, seq, at, type, data } = found as Omit<StoredEvent, 'data'> & { data: string }
  return upcast({ stream, seq, position, type, at, data: JSON.parse(data) as object })
}

function toRow(found: Record<string, unknown>): ViewRow {
  const { view, key, grp, sort, text, body } = found as Omit<ViewRow, 'group' | 'body'> & { grp: string; body: string }
  return { view, key, group: grp, sort, text, body: JSON.parse(body) as object }
}

/** Work done here would be done a second time by the copy. */
function assertNotMoved(connection: SqliteConnection, path: string): void {
  const state = connection.db.prepare("SELECT value FROM meta WHERE name = 'moved'").get()?.['value']
  if (state === undefined || state === 0) return
  connection.close()
  throw new ParleyError(state === 1 ? 'copy_unfinished' : 'store_moved', { store: path })
}
