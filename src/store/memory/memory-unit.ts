import type { Unit, UnitResult, ViewRow } from '../../ports/store.ts'
import { addSums, type Summed } from '../add-sums.ts'
import { aheadMs } from '../clock-steps.ts'
import { workId, type EventRecord, type MemoryBacking, type RowRecord } from './memory-backing.ts'

/** Changes of a commit: streams with their new heads, and kinds of work that may be due now. */
export type Changes = { streams: Map<string, number>; kinds: Set<string> }

type Refused = Exclude<UnitResult, { ok: true }>

export const getHead = (backing: MemoryBacking, stream: string): number => backing.streams.get(stream)?.at(-1)?.seq ?? 0

/** Every reason to refuse is looked at before the first write, so a refused unit has nothing to undo. */
export function refuseUnit(backing: MemoryBacking, owner: string, unit: Unit): Refused | null {
  if (unit.lease) {
    const work = backing.work.get(workId(unit.lease.kind, unit.lease.key))
    if (work?.owner !== owner || work.epoch !== unit.lease.epoch) return { ok: false, why: 'fenced' }
  }
  for (const [index, { key }] of (unit.once ?? []).entries()) {
    const first = backing.once.get(key)
    if (first) return { ok: false, why: 'seen', key, value: JSON.parse(first.json) as unknown }
    const twin = unit.once?.slice(0, index).find((other) => other.key === key)
    if (twin) return { ok: false, why: 'seen', key, value: twin.value ?? null }
  }
  const heads = new Map<string, number>()
  for (const { stream, expect, events } of unit.append ?? []) {
    const head = heads.get(stream) ?? getHead(backing, stream)
    if (head !== expect) return { ok: false, why: 'conflict', stream, head }
    heads.set(stream, head + events.length)
  }
  const summed = sumsFor(backing, unit)
  return 'over' in summed ? { ok: false, why: 'over', ...summed.over } : null
}

const sumsFor = (backing: MemoryBacking, { sums = [] }: Unit): Summed =>
  addSums(sums, (view, key) => {
    const stored = backing.rows.get(view)?.get(key)
    return stored ? (JSON.parse(stored.json) as object) : null
  })

function putRow(backing: MemoryBacking, { body, view, key, group, sort, text }: ViewRow): void {
  const rows = backing.rows.get(view) ?? new Map<string, RowRecord>()
  backing.rows.set(view, rows)
  rows.set(key, { view, key, group, sort, text, folded: text.toLowerCase(), json: JSON.stringify(body) })
}

/** Settle, cancel, wake, in this order: a unit can finish a piece of work and wake it afresh. */
export function applyUnit(backing: MemoryBacking, unit: Unit, now: number, changes: Changes): EventRecord[] {
  const ahead = aheadMs(unit, now)
  const appended: EventRecord[] = []
  for (const { stream, events } of unit.append ?? []) {
    if (events.length === 0) continue
    const records = backing.streams.get(stream) ?? []
    backing.streams.set(stream, records)
    for (const { type, at, data } of events) {
      const seq = getHead(backing, stream) + 1
      const record = { stream, seq, position: (backing.log.at(-1)?.position ?? 0) + 1, type, at, json: JSON.stringify(data) }
      records.push(record)
      backing.log.push(record)
      appended.push(record)
    }
    changes.streams.set(stream, getHead(backing, stream))
  }
  settle(backing, unit, now, ahead, changes)
  for (const { kind, key } of unit.cancel ?? []) backing.work.delete(workId(kind, key))
  for (const wake of unit.wake ?? []) {
    const { kind, key } = wake
    const at = wake.at - ahead
    const payload = wake.payload === undefined ? null : JSON.stringify(wake.payload)
    const work = backing.work.get(workId(kind, key))
    if (!work)
      backing.work.set(workId(kind, key), { kind, key, dueAt: at, againAt: null, owner: null, epoch: 0, attempts: 0, since: now, payload })
    else {
      if (work.owner === null) work.dueAt = Math.min(work.dueAt, at)
      else work.againAt = Math.min(work.againAt ?? at, at)
      work.payload = payload ?? work.payload
    }
    changes.kinds.add(kind)
  }
  for (const { key, value } of unit.once ?? []) backing.once.set(key, { json: JSON.stringify(value ?? null), at: now })
  for (const { key, usedBefore } of unit.forget ?? []) if ((backing.once.get(key)?.at ?? Infinity) < usedBefore) backing.once.delete(key)
  const summed = sumsFor(backing, unit)
  for (const row of unit.rows ?? []) {
    if (row.body === null) backing.rows.get(row.view)?.delete(row.key)
    else putRow(backing, row)
  }
  if ('rows' in summed) for (const row of summed.rows) putRow(backing, row)
  for (const snapshot of unit.snapshots ?? []) backing.snapshots.set(snapshot.stream, JSON.stringify(snapshot))
  if (unit.index) indexWords(backing, unit.index)
  for (const { stream, before } of unit.trim ?? []) trim(backing, stream, before)
  return appended
}

function indexWords(backing: MemoryBacking, { entries, upTo }: NonNullable<Unit['index']>): void {
  const positions = new Set(backing.log.map(({ position }) => position))
  for (const { position, group, words } of entries) {
    const isIndexed = position <= backing.indexedTo
    if (isIndexed === (upTo === undefined) && positions.has(position)) backing.words.set(position, { group, words: new Set(words) })
  }
  backing.indexedTo = Math.max(backing.indexedTo, upTo ?? 0)
}

function trim(backing: MemoryBacking, stream: string, before: number): void {
  const first = Math.min(before, getHead(backing, stream))
  const isTrimmed = (record: EventRecord): boolean => record.stream === stream && record.seq < first
  for (const record of backing.streams.get(stream) ?? []) if (isTrimmed(record)) backing.words.delete(record.position)
  backing.log = backing.log.filter((record) => !isTrimmed(record))
  const records = backing.streams.get(stream)
  if (records)
    backing.streams.set(
      stream,
      records.filter((record) => !isTrimmed(record)),
    )
  const snapshot = backing.snapshots.get(stream)
  if (snapshot && (JSON.parse(snapshot) as { seq: number }).seq < before) backing.snapshots.delete(stream)
}

function settle(backing: MemoryBacking, { lease, settle: outcome }: Unit, now: number, ahead: number, changes: Changes): void {
  const work = lease && backing.work.get(workId(lease.kind, lease.key))
  if (!work || !outcome) return
  if (outcome === 'done' && work.againAt === null) {
    backing.work.delete(workId(work.kind, work.key))
    return
  }
  const again = work.againAt ?? Infinity
  work.dueAt = outcome === 'done' ? again : Math.min(outcome.retryAt - ahead, again)
  work.attempts = outcome === 'done' ? 0 : work.attempts - (outcome.forgive && work.attempts > 0 ? 1 : 0)
  if (outcome === 'done') work.since = now
  work.againAt = null
  work.owner = null
  changes.kinds.add(work.kind)
}
