import { ParleyError } from '../../errors.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import type { Lease, RowQuery, Snapshot, Store, StoredEvent, Unit, UnitResult, ViewRow } from '../../ports/store.ts'
import { ClockSteps, isStepBack } from '../clock-steps.ts'
import { Listeners } from '../listeners.ts'
import { pageWithin } from '../page-within.ts'
import { byBytes, memoryBacking, workId, type EventRecord, type MemoryBacking, type RowRecord, type WorkRecord } from './memory-backing.ts'
import { applyUnit, getHead, refuseUnit, type Changes } from './memory-unit.ts'

/**
 * The store for tests and demos: the whole contract, without a disk. Several of them on one backing behave as
 * several processes on one database would, so what works here works there.
 */
export function memoryStore(options: { clock?: Clock; owner?: string; backing?: MemoryBacking } = {}): Store {
  const clock = options.clock ?? systemClock
  const backing = options.backing ?? memoryBacking()
  const owner = options.owner ?? `memory-${++backing.opened}`
  const listeners = new Listeners()
  let closed = false

  const time = new ClockSteps(clock, moveWorkBack)
  const nowNoted = (): number => {
    const now = time.now()
    backing.time = Math.max(backing.time ?? now, now)
    return now
  }

  function moveWorkBack(now: number, latest: number): void {
    // Another store on this backing may have moved it already.
    if (backing.time !== null && !isStepBack(now, backing.time)) return
    const stepMs = Math.max(latest, backing.time ?? latest) - now
    for (const work of backing.work.values()) {
      work.dueAt -= stepMs
      if (work.againAt !== null) work.againAt -= stepMs
      work.since -= stepMs
    }
    backing.time = now
  }
  if (backing.time !== null && isStepBack(clock.now(), backing.time)) moveWorkBack(clock.now(), backing.time)

  const neighbour = {
    changed(streams: ReadonlyMap<string, number>, kinds: ReadonlySet<string>): void {
      for (const [stream, head] of streams) listeners.streamChanged(stream, head)
      for (const kind of kinds) listeners.workChanged(kind)
    },
  }
  backing.stores.add(neighbour)

  function tellOthers(streams: ReadonlyMap<string, number>, kinds: ReadonlySet<string>): void {
    if (streams.size + kinds.size === 0) return
    for (const other of backing.stores) if (other !== neighbour) other.changed(streams, kinds)
  }

  function assertOpen(): void {
    if (closed) throw new ParleyError('store_closed')
  }

  const ofKind = (kind: string): WorkRecord[] => [...backing.work.values()].filter((work) => work.kind === kind)

  return {
    owner,
    hints: listeners,

    async commit(units) {
      assertOpen()
      // Read as a file would read it back, before anything changes: what cannot be written rejects the commit as a whole.
      const read = units.map((unit) => JSON.parse(JSON.stringify(unit)) as Unit)
      const now = nowNoted()
      const changes: Changes = { streams: new Map(), kinds: new Set() }
      const results: UnitResult[] = []
      for (const unit of read)
        results.push(refuseUnit(backing, owner, unit) ?? { ok: true, events: applyUnit(backing, unit, now, changes).map(fromRecord) })
      const committed = results.flatMap((result) => (result.ok ? structuredClone(result.events) : []))
      for (const [stream, head] of changes.streams) {
        listeners.streamChanged(
          stream,
          head,
          committed.filter((event) => event.stream === stream),
        )
      }
      for (const kind of changes.kinds) listeners.workChanged(kind)
      tellOthers(changes.streams, changes.kinds)
      return results
    },

    async read(stream, after, limit, maxBytes) {
      assertOpen()
      const records = backing.streams.get(stream) ?? []
      const from = Math.max(after - (records[0]?.seq ?? 1) + 1, 0)
      const page = records.slice(from, from + limit)
      return (maxBytes === undefined ? page : pageWithin(page, maxBytes, dataBytes)).map(fromRecord)
    },

    async head(stream) {
      assertOpen()
      return getHead(backing, stream)
    },

    async readAll(afterPosition, limit, maxBytes, types) {
      assertOpen()
      const from = indexAfter(backing.log, afterPosition)
      const page = types
        ? backing.log
            .slice(from)
            .filter(({ type }) => types.includes(type))
            .slice(0, limit)
        : backing.log.slice(from, from + limit)
      return (maxBytes === undefined ? page : pageWithin(page, maxBytes, dataBytes)).map(fromRecord)
    },

    async position() {
      assertOpen()
      return backing.log.at(-1)?.position ?? 0
    },

    async snapshot(stream) {
      assertOpen()
      const json = backing.snapshots.get(stream)
      return json === undefined ? null : (JSON.parse(json) as Snapshot)
    },

    async remembered(key) {
      assertOpen()
      const match = backing.once.get(key)
      return match ? { value: JSON.parse(match.json) as unknown } : null
    },

    async onceNames(after, limit) {
      assertOpen()
      return Array.from(backing.once, ([key, { at }]) => ({ key, at }))
        .filter(({ key }) => byBytes(key, after) > 0)
        .toSorted((a, b) => byBytes(a.key, b.key))
        .slice(0, limit)
    },

    async row(view, key) {
      assertOpen()
      const record = backing.rows.get(view)?.get(key)
      return record ? fromRow(record) : null
    },

    async rows(query) {
      assertOpen()
      const all = [...(backing.rows.get(query.view)?.values() ?? [])]
      return all
        .filter((row) => fits(row, query))
        .toSorted((a, b) => b.sort - a.sort || byBytes(b.key, a.key))
        .slice(0, query.limit)
        .map(fromRow)
    },

    async countRows(view, group) {
      assertOpen()
      const all = [...(backing.rows.get(view)?.values() ?? [])]
      return group === undefined ? all.length : all.filter((row) => row.group === group).length
    },

    async findWords({ words, groups, before = Infinity, limit }) {
      assertOpen()
      if (words.length === 0) return []
      const isFound = ({ position }: EventRecord): boolean => {
        const entry = position < before ? backing.words.get(position) : undefined
        if (!entry || (groups && !groups.includes(entry.group))) return false
        return words.every(({ word, isStart }) => (isStart ? [...entry.words].some((one) => one.startsWith(word)) : entry.words.has(word)))
      }
      return backing.log.filter(isFound).toReversed().slice(0, limit).map(fromRecord)
    },

    async indexedTo() {
      assertOpen()
      return backing.indexedTo
    },

    async claim(kind, most, leaseMs) {
      assertOpen()
      const now = nowNoted()
      const due = ofKind(kind)
        .filter((work) => work.dueAt <= now)
        .toSorted((a, b) => a.dueAt - b.dueAt || byBytes(a.key, b.key))
        .slice(0, most)
      return due.map((work): Lease => {
        work.dueAt = now + leaseMs
        // A wake that came before this claim is answered by it; a later one still stands.
        if (work.againAt !== null && work.againAt <= now) work.againAt = null
        work.owner = owner
        work.epoch = ++backing.epoch
        work.attempts++
        const { key, epoch, attempts, payload } = work
        return { kind, key, epoch, attempts, until: work.dueAt, payload: payload === null ? null : (JSON.parse(payload) as unknown) }
      })
    },

    async extend(leases, leaseMs) {
      assertOpen()
      const now = nowNoted()
      return leases.filter((lease) => {
        const work = backing.work.get(workId(lease.kind, lease.key))
        if (work?.owner !== owner || work.epoch !== lease.epoch) return true
        work.dueAt = now + leaseMs
        return false
      })
    },

    async unfinishedSince(ignored) {
      assertOpen()
      const counted = [...backing.work.values()].filter(({ kind }) => !ignored.includes(kind))
      return counted.reduce<number | null>((first, { since }) => Math.min(first ?? since, since), null)
    },

    async nextDue(kind) {
      assertOpen()
      time.now()
      return ofKind(kind).reduce<number | null>((first, work) => (first === null ? work.dueAt : Math.min(first, work.dueAt)), null)
    },

    async check() {
      assertOpen()
    },

    async close() {
      if (closed) return
      closed = true
      listeners.clear()
      backing.stores.delete(neighbour)
      const freed = new Set<string>()
      for (const work of backing.work.values()) {
        if (work.owner !== owner) continue
        work.owner = null
        work.dueAt = clock.now()
        freed.add(work.kind)
      }
      tellOthers(new Map(), freed)
    },
  }
}

const dataBytes = ({ json }: EventRecord): number => Buffer.byteLength(json)

function fromRecord({ json, ...event }: EventRecord): StoredEvent {
  return { ...event, data: JSON.parse(json) as object }
}

function fromRow({ view, key, group, sort, text, json }: RowRecord): ViewRow {
  return { view, key, group, sort, text, body: JSON.parse(json) as object }
}

function fits(row: RowRecord, { group, text, before }: RowQuery): boolean {
  if (group !== undefined && row.group !== group) return false
  if (text && !row.folded.includes(text.toLowerCase())) return false
  if (before && (row.sort > before.sort || (row.sort === before.sort && byBytes(row.key, before.key) >= 0))) return false
  return true
}

/** Positions grow and have gaps where events were trimmed. */
function indexAfter(log: readonly EventRecord[], position: number): number {
  let [from, to] = [0, log.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((log[middle]?.position ?? 0) <= position) from = middle + 1
    else to = middle
  }
  return from
}
