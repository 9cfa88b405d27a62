import type { NewEvent, Settle, StoredEvent, StreamId, Unit, UnitResult, ViewRow, WorkKey } from '../../ports/store.ts'
import { addSums } from '../add-sums.ts'
import { aheadMs } from '../clock-steps.ts'
import type { KnownHeads } from './known-heads.ts'
import type { Statements } from './statements.ts'
import { indexWords } from './word-index.ts'

/** Changes of a commit: streams with their new heads, and kinds of work that may be due now. */
export type Changes = {
  streams: Map<StreamId, { head: number; events: StoredEvent[] }>
  kinds: Set<string>
  position: number
  /** Rows of sums, by view and key. Many units of a commit add to the same few, which are written once, at its end. */
  sums: Map<string, ViewRow>
}

export const noChanges = (): Changes => ({ streams: new Map(), kinds: new Set(), position: 0, sums: new Map() })

const sumId = (view: string, key: string): string => `${view}\n${key}`

/** Ends a commit. */
export function writeSums(sql: Statements, { sums }: Changes): void {
  for (const row of sums.values()) if (sql.putBody.run(JSON.stringify(row.body), row.view, row.key).changes === 0) putRow(sql, row)
}

/**
 * One unit inside the commit's transaction. Every reason to refuse is looked at before the first write, so a refused
 * unit has nothing to undo and no savepoint is needed. A unit sees what the units before it did.
 */
export function runUnit(sql: Statements, unit: Unit, owner: string, now: number, changes: Changes, heads: KnownHeads): UnitResult {
  const { append, lease, once } = unit
  const ahead = aheadMs(unit, now)
  let again: unknown = null
  if (lease) {
    const leaseRow = sql.held.get(lease.kind, lease.key, owner, lease.epoch)
    if (!leaseRow) return { ok: false, why: 'fenced' }
    again = leaseRow['again_at']
  }
  if (once) {
    const refused = refuseSeen(sql, once)
    if (refused) return refused
  }
  if (append) {
    const getHead = (stream: StreamId): number => changes.streams.get(stream)?.head ?? heads.get(stream) ?? readHead(sql, stream)
    const refused = append.length === 1 ? refuseConflict(getHead, append[0]) : refuseConflicts(getHead, append)
    if (refused) return refused
  }

  const summed = unit.sums ? addSums(unit.sums, (view, key) => changes.sums.get(sumId(view, key))?.body ?? readBody(sql, view, key)) : null
  if (summed && 'over' in summed) return { ok: false, why: 'over', ...summed.over }

  const events: StoredEvent[] = []
  if (append) for (const { stream, expect, events: given } of append) appendEvents(sql, stream, expect, given, events, changes)
  if (lease && unit.settle) settle(sql, lease, unit.settle, now, ahead, again !== null, changes)
  if (unit.cancel) for (const { kind, key } of unit.cancel) sql.drop.run(kind, key)
  if (unit.wake) {
    for (const { kind, key, at, payload } of unit.wake) {
      sql.wake.run(kind, key, at - ahead, payload === undefined ? null : JSON.stringify(payload), now)
      changes.kinds.add(kind)
    }
  }
  if (once) for (const { key, value } of once) sql.remember.run(key, JSON.stringify(value ?? null), now)
  if (unit.forget) for (const { key, usedBefore } of unit.forget) sql.forget.run(key, usedBefore)
  if (unit.rows) {
    for (const row of unit.rows) {
      if (changes.sums.size > 0) changes.sums.delete(sumId(row.view, row.key))
      if (row.body === null) sql.dropRow.run(row.view, row.key)
      else putRow(sql, row)
    }
  }
  if (summed) for (const row of summed.rows) changes.sums.set(sumId(row.view, row.key), row)
  if (unit.snapshots) {
    for (const { stream, seq, version, state } of unit.snapshots) sql.putSnapshot.run(stream, seq, version, JSON.stringify(state ?? null))
  }
  if (unit.index) indexWords(sql, unit.index)
  if (unit.trim) {
    for (const { stream, before } of unit.trim) {
      sql.trimWords.run(stream, before)
      sql.trim.run(stream, before)
      sql.dropSnapshot.run(stream, before)
    }
  }
  return { ok: true, events }
}

function putRow(sql: Statements, { view, key, group, sort, text, body }: ViewRow): void {
  const folded = text.toLowerCase()
  sql.putRow.run(view, key, group, sort, text, folded === text ? null : folded, JSON.stringify(body))
}

function readBody(sql: Statements, view: string, key: string): object | null {
  const stored = sql.row.get(view, key)
  return stored ? (JSON.parse(stored['body'] as string) as object) : null
}

function refuseSeen(sql: Statements, once: NonNullable<Unit['once']>): UnitResult | null {
  const mine = new Map<string, unknown>()
  for (const { key, value } of once) {
    const first = sql.once.get(key)
    if (first) return { ok: false, why: 'seen', key, value: JSON.parse(first['value'] as string) as unknown }
    if (mine.has(key)) return { ok: false, why: 'seen', key, value: mine.get(key) ?? null }
    mine.set(key, value)
  }
  return null
}

type Append = { stream: StreamId; expect: number }

type GetHead = (stream: StreamId) => number

const readHead = (sql: Statements, stream: StreamId): number => (sql.head.get(stream)?.['head'] as number | null) ?? 0

function refuseConflict(getHead: GetHead, append: Append | undefined): UnitResult | null {
  if (!append) return null
  const head = getHead(append.stream)
  return head === append.expect ? null : { ok: false, why: 'conflict', stream: append.stream, head }
}

/** A unit may append to one stream twice: the second meets the head the first will leave. */
function refuseConflicts(getHead: GetHead, appends: NonNullable<Unit['append']>): UnitResult | null {
  const heads = new Map<StreamId, number>()
  for (const { stream, expect, events } of appends) {
    const head = heads.get(stream) ?? getHead(stream)
    if (head !== expect) return { ok: false, why: 'conflict', stream, head }
    heads.set(stream, head + events.length)
  }
  return null
}

function appendEvents(
  sql: Statements,
  stream: StreamId,
  head: number,
  events: readonly NewEvent[],
  appended: StoredEvent[],
  changes: Changes,
): void {
  if (events.length === 0) return
  const touched = changes.streams.get(stream) ?? { head: 0, events: [] }
  changes.streams.set(stream, touched)
  let seq = head
  for (const { type, at, data } of events) {
    const position = Number(sql.append.run(stream, ++seq, at, type, JSON.stringify(data)).lastInsertRowid)
    // The caller's own object, not a copy: the stored text is what later reads are made from.
    const event = { stream, seq, position, type, at, data }
    appended.push(event)
    touched.events.push(event)
    changes.position = position
  }
  touched.head = seq
}

function settle(
  sql: Statements,
  { kind, key }: WorkKey,
  outcome: Settle,
  now: number,
  ahead: number,
  woken: boolean,
  changes: Changes,
): void {
  if (outcome === 'done' && !woken) {
    sql.drop.run(kind, key)
    return
  }
  if (outcome === 'done') sql.again.run(now, kind, key)
  else sql.retry.run(outcome.retryAt - ahead, outcome.forgive ? 1 : 0, kind, key)
  changes.kinds.add(kind)
}
