import type { NewEvent, Settle, StoredEvent, StreamId, Unit, UnitResult, WorkKey } from '../../ports/store.ts'
import type { Statements } from './statements.ts'

/** What a commit touched: streams with their new heads, and kinds of work that may have become due. */
export type Changes = { streams: Map<StreamId, { head: number; events: StoredEvent[] }>; kinds: Set<string>; position: number }

/**
 * One unit inside the commit's transaction. Every reason to refuse is looked at before the first write, so a refused
 * unit has nothing to undo and no savepoint is needed. A unit sees what the units before it did.
 */
export function runUnit(sql: Statements, unit: Unit, owner: string, now: number, changes: Changes): UnitResult {
  const { append, lease, once } = unit
  let again: unknown = null
  if (lease) {
    const held = sql.held.get(lease.kind, lease.key, owner, lease.epoch)
    if (!held) return { ok: false, why: 'fenced' }
    again = held['again_at']
  }
  if (once) {
    const refused = refuseSeen(sql, once)
    if (refused) return refused
  }
  const heads: number[] = []
  if (append) {
    for (let i = 0; i < append.length; i++) {
      const { stream, expect } = append[i]!
      const head = headBefore(sql, append, i)
      if (head !== expect) return { ok: false, why: 'conflict', stream, head }
      heads.push(head)
    }
  }

  const events: StoredEvent[] = []
  if (append) for (let i = 0; i < append.length; i++) appendEvents(sql, append[i]!, heads[i]!, events, changes)
  if (lease && unit.settle) settle(sql, lease, unit.settle, again !== null, changes)
  if (unit.cancel) for (const { kind, key } of unit.cancel) sql.drop.run(kind, key)
  if (unit.wake) {
    for (const { kind, key, at, payload } of unit.wake) {
      sql.wake.run(kind, key, at, payload === undefined ? null : JSON.stringify(payload))
      changes.kinds.add(kind)
    }
  }
  if (once) for (const { key, value } of once) sql.remember.run(key, JSON.stringify(value ?? null), now)
  if (unit.rows) {
    for (const row of unit.rows) {
      if (row.body === null) sql.dropRow.run(row.view, row.key)
      else {
        const { view, key, group, sort, text, body } = row
        const folded = text.toLowerCase()
        sql.putRow.run(view, key, group, sort, text, folded === text ? null : folded, JSON.stringify(body))
      }
    }
  }
  if (unit.snapshots) {
    for (const { stream, seq, version, state } of unit.snapshots) sql.putSnapshot.run(stream, seq, version, JSON.stringify(state ?? null))
  }
  return { ok: true, events }
}

function refuseSeen(sql: Statements, once: NonNullable<Unit['once']>): UnitResult | null {
  for (let i = 0; i < once.length; i++) {
    const { key } = once[i]!
    const first = sql.once.get(key)
    if (first) return { ok: false, why: 'seen', key, value: JSON.parse(first['value'] as string) as unknown }
    const twin = once.findIndex((other) => other.key === key)
    if (twin < i) return { ok: false, why: 'seen', key, value: once[twin]!.value ?? null }
  }
  return null
}

type Append = NonNullable<Unit['append']>

/** The head the i-th append will meet: a unit may append to one stream twice. */
function headBefore(sql: Statements, append: Append, i: number): number {
  const { stream } = append[i]!
  let head = (sql.head.get(stream)?.['head'] as number | null) ?? 0
  for (let earlier = 0; earlier < i; earlier++) if (append[earlier]!.stream === stream) head += append[earlier]!.events.length
  return head
}

function appendEvents(sql: Statements, { stream, events }: Append[number], head: number, appended: StoredEvent[], changes: Changes): void {
  if (events.length === 0) return
  const touched = changes.streams.get(stream) ?? { head: 0, events: [] }
  changes.streams.set(stream, touched)
  let seq = head
  for (const { type, at, data } of events as readonly NewEvent[]) {
    const position = Number(sql.append.run(stream, ++seq, at, type, JSON.stringify(data)).lastInsertRowid)
    const event = { stream, seq, position, type, at, data }
    appended.push(event)
    touched.events.push(event)
    changes.position = position
  }
  touched.head = seq
}

function settle(sql: Statements, { kind, key }: WorkKey, outcome: Settle, woken: boolean, changes: Changes): void {
  if (outcome === 'done' && !woken) {
    sql.drop.run(kind, key)
    return
  }
  if (outcome === 'done') sql.again.run(kind, key)
  else sql.retry.run(outcome.retryAt, outcome.forgive ? 1 : 0, kind, key)
  changes.kinds.add(kind)
}
