import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import { silentLog, type Log } from '../../ports/log.ts'
import type { Hints, Lease, RowQuery, Snapshot, Store, StoredEvent, Unit, UnitResult, ViewRow } from '../../ports/store.ts'
import { Listeners } from '../listeners.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { openDatabase } from './open-database.ts'
import { buryIfDead, knownOwners, OwnerLock } from './owner-lock.ts'
import { runUnit, type Changes } from './sqlite-unit.ts'
import { prepareStatements, rowQueries, type Statements } from './statements.ts'
import { storeFault } from './store-fault.ts'

export type SqliteOptions = {
  path: string
  clock?: Clock
  /** Fresh for each process unless given; two live ones must not share a name. */
  owner?: string
  log?: Log
}

/** Dead owners are looked for when a store opens and then at most this often. */
const burialEveryMs = 1000

const anyEpoch = Number.MAX_SAFE_INTEGER

/**
 * The embedded store: one file, any number of processes on one machine.
 *
 * A commit is one fsync for all its units. Claims and heartbeats run without one: they are lost by a power cut only
 * together with the process that made them, and then the work is simply claimed again. So say + claim + finish costs
 * two fsyncs, counted with strace (`-e fsync,fdatasync`); the log of SQLite is synced as a whole, so the finish also
 * makes the claim before it durable.
 *
 * Calls run on the main thread: at full load the event loop's p99 is 6–7 ms, a worker thread was 15 % slower.
 */
export function sqliteStore(options: SqliteOptions): Store {
  return new SqliteStore(options)
}

class SqliteStore implements Store {
  readonly owner: string
  readonly #path: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #db: DatabaseSync
  readonly #sql: Statements
  readonly #rows: (query: RowQuery) => Record<string, unknown>[]
  readonly #lock: OwnerLock
  readonly #listeners: Listeners
  readonly #foreign: ForeignCommits
  #lastBurial: number
  #closed = false

  constructor({ path, clock = systemClock, owner, log = silentLog }: SqliteOptions) {
    this.owner = owner ?? `${process.pid}-${randomBytes(6).toString('hex')}`
    this.#path = path
    this.#clock = clock
    this.#log = log
    this.#db = openDatabase(path)
    try {
      this.#sql = prepareStatements(this.#db)
    } catch (error) {
      this.#db.close()
      const fault = storeFault(error)
      throw fault instanceof ParleyError ? fault : new ParleyError('store_damaged', { why: (error as Error).message }, { cause: error })
    }
    this.#rows = rowQueries(this.#db)
    try {
      this.#lock = OwnerLock.take(path, this.owner)
    } catch (error) {
      this.#db.close()
      throw storeFault(error)
    }
    this.#listeners = new Listeners((fault) => log('error', 'A listener of the store failed', { fault }))
    this.#foreign = new ForeignCommits(this.#sql, this.#listeners, clock, (fault) => log('warn', 'Could not look for commits of other processes', { fault }))
    this.#listeners.watchInterest((wanted) => (wanted ? this.#foreign.start() : this.#foreign.stop()))
    this.#lastBurial = clock.now()
    // What is left of a former life under this name, of the dead, and their files.
    this.#free(this.owner, anyEpoch)
    this.#buryTheDead(new Set(knownOwners(path)))
  }

  get hints(): Hints {
    return this.#listeners
  }

  async commit(units: readonly Unit[]): Promise<UnitResult[]> {
    this.#assertOpen()
    if (units.length === 0) return []
    const changes: Changes = { streams: new Map(), kinds: new Set(), position: 0 }
    const now = this.#clock.now()
    const results = this.#transaction(() => units.map((unit) => runUnit(this.#sql, unit, this.owner, now, changes)))
    this.#foreign.committed(changes.position)
    for (const [stream, { head, events }] of changes.streams) this.#listeners.streamChanged(stream, head, events)
    for (const kind of changes.kinds) this.#listeners.workChanged(kind)
    return results
  }

  async read(stream: string, after: number, limit: number): Promise<StoredEvent[]> {
    return this.#ask(() => this.#sql.read.all(stream, after, limit).map(toEvent))
  }

  async head(stream: string): Promise<number> {
    return this.#ask(() => (this.#sql.head.get(stream)?.['head'] as number | null) ?? 0)
  }

  async readAll(afterPosition: number, limit: number): Promise<StoredEvent[]> {
    return this.#ask(() => this.#sql.readAll.all(afterPosition, limit).map(toEvent))
  }

  async position(): Promise<number> {
    return this.#ask(() => (this.#sql.position.get()?.['position'] as number | null) ?? 0)
  }

  async snapshot(stream: string): Promise<Snapshot | null> {
    return this.#ask(() => {
      const found = this.#sql.snapshot.get(stream)
      return found ? ({ ...found, state: JSON.parse(found['state'] as string) as unknown } as Snapshot) : null
    })
  }

  async remembered(key: string): Promise<{ value: unknown } | null> {
    return this.#ask(() => {
      const found = this.#sql.once.get(key)
      return found ? { value: JSON.parse(found['value'] as string) as unknown } : null
    })
  }

  async row(view: string, key: string): Promise<ViewRow | null> {
    return this.#ask(() => {
      const found = this.#sql.row.get(view, key)
      return found ? toRow(found) : null
    })
  }

  async rows(query: RowQuery): Promise<ViewRow[]> {
    return this.#ask(() => this.#rows(query).map(toRow))
  }

  async countRows(view: string, group?: string): Promise<number> {
    return this.#ask(() => (group === undefined ? this.#sql.countView.get(view) : this.#sql.countGroup.get(view, group))?.['count'] as number)
  }

  async claim(kind: string, most: number, leaseMs: number): Promise<Lease[]> {
    this.#assertOpen()
    const now = this.#clock.now()
    if (now - this.#lastBurial >= burialEveryMs) this.#buryTheDead()
    // Nothing due is the usual case, and it takes no lock and writes nothing.
    if (!this.#ask(() => this.#sql.anyDue.get(kind, now))) return []
    return this.#withoutSync(() => {
      const due = this.#sql.due.all(kind, now, most) as { key: string; attempts: number; payload: string | null }[]
      if (due.length === 0) return []
      const until = now + leaseMs
      let epoch = (this.#sql.takeEpochs.get(due.length)?.['value'] as number) - due.length
      return due.map(({ key, attempts, payload }): Lease => {
        this.#sql.take.run(until, this.owner, ++epoch, now, kind, key)
        return { kind, key, epoch, attempts: attempts + 1, until, payload: payload === null ? null : (JSON.parse(payload) as unknown) }
      })
    })
  }

  async extend(leases: readonly Lease[], leaseMs: number): Promise<Lease[]> {
    this.#assertOpen()
    if (leases.length === 0) return []
    const until = this.#clock.now() + leaseMs
    return this.#withoutSync(() => leases.filter(({ kind, key, epoch }) => this.#sql.extend.run(until, kind, key, this.owner, epoch).changes === 0))
  }

  async nextDue(kind: string): Promise<number | null> {
    return this.#ask(() => (this.#sql.nextDue.get(kind)?.['due'] as number | null) ?? null)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#listeners.clear()
    try {
      this.#free(this.owner, anyEpoch)
    } catch (fault) {
      // Whoever comes next finds this owner dead and frees its work.
      this.#log('warn', 'Could not give back work while closing', { fault })
    }
    this.#lock.release()
    this.#db.close()
  }

  #assertOpen(): void {
    if (this.#closed) throw new ParleyError('store_closed')
  }

  #ask<T>(read: () => T): T {
    this.#assertOpen()
    try {
      return read()
    } catch (error) {
      throw storeFault(error)
    }
  }

  #transaction<T>(change: () => T): T {
    try {
      this.#sql.begin.run()
      const result = change()
      this.#sql.commit.run()
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw storeFault(error)
    }
  }

  /** For what a power cut may take back. The setting cannot change inside a transaction, hence around it. */
  #withoutSync<T>(change: () => T): T {
    this.#db.exec('PRAGMA synchronous = NORMAL')
    try {
      return this.#transaction(change)
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL')
    }
  }

  #buryTheDead(owners: Set<string> = new Set()): void {
    this.#lastBurial = this.#clock.now()
    try {
      // Epochs first, then the lock: what somebody claims under a dead one's name after this look is not touched.
      const holding = this.#sql.owners.all() as { owner: string; epoch: number }[]
      const epochs = new Map(holding.map(({ owner, epoch }) => [owner, epoch]))
      for (const owner of epochs.keys()) owners.add(owner)
      owners.delete(this.owner)
      for (const owner of owners) buryIfDead(this.#path, owner, () => this.#free(owner, epochs.get(owner) ?? 0))
    } catch (fault) {
      // Not finding the dead costs time, not correctness: their leases end by themselves.
      this.#log('warn', 'Could not look for work of dead processes', { fault })
    }
  }

  #free(owner: string, upToEpoch: number): void {
    if (upToEpoch === 0) return
    if (upToEpoch === anyEpoch && !(this.#sql.owners.all() as { owner: string }[]).some((held) => held.owner === owner)) return
    const freed = this.#withoutSync(() => this.#sql.free.all(this.#clock.now(), owner, upToEpoch)) as { kind: string }[]
    if (freed.length > 0 && owner !== this.owner) this.#log('info', 'Took back work of a process that ended', { owner, count: freed.length })
    for (const kind of new Set(freed.map((work) => work.kind))) this.#listeners.workChanged(kind)
  }
}

function toEvent(found: Record<string, unknown>): StoredEvent {
  const { position, stream, seq, at, type, data } = found as Omit<StoredEvent, 'data'> & { data: string }
  return { stream, seq, position, type, at, data: JSON.parse(data) as object }
}

function toRow(found: Record<string, unknown>): ViewRow {
  const { view, key, grp, sort, text, body } = found as Omit<ViewRow, 'group' | 'body'> & { grp: string; body: string }
  return { view, key, group: grp, sort, text, body: JSON.parse(body) as object }
}
