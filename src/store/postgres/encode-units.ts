import type { StoredEvent, Unit, UnitResult, ViewRow } from '../../ports/store.ts'
import { aheadMs } from '../clock-steps.ts'

/** PostgreSQL's text holds neither U+0000 nor half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Strings of a commit, each once. The indexes are those of an SQL array: they start at 1. */
class Texts {
  readonly list: string[] = []
  readonly #index = new Map<string, number>()

  add(text: string): number {
    const existing = this.#index.get(text)
    if (existing !== undefined) return existing
    if (!isStorable(text)) throw new TypeError('A key contains U+0000 or half of a surrogate pair, which PostgreSQL cannot store')
    const index = this.list.push(text)
    this.#index.set(text, index)
    return index
  }

  /** JSON escapes what PostgreSQL cannot store. Large and rarely equal, so not looked up. */
  addJson(value: unknown): number {
    return this.list.push(JSON.stringify(value ?? null))
  }
}

/** The parameters of `commit_units`. `now` is the time of this process. */
export function encodeUnits(units: readonly Unit[], now: number): { units: string; texts: string[] } {
  const texts = new Texts()
  const sumIds = new Set(units.flatMap(({ sums = [] }) => sums.map(({ view, key }) => `${texts.add(view)} ${texts.add(key)}`)))
  return { units: JSON.stringify(units.map((unit) => encodeUnit(unit, now, texts, sumIds))), texts: texts.list }
}

/** Sums of a commit are written at its end, so a unit names those that its rows replace. */
function replacedSums(rows: Unit['rows'], sumIds: ReadonlySet<string>, texts: Texts): string[] {
  if (!rows || sumIds.size === 0) return []
  return rows.map(({ view, key }) => `${texts.add(view)} ${texts.add(key)}`).filter((id) => sumIds.has(id))
}

function encodeUnit(unit: Unit, now: number, texts: Texts, sumIds: ReadonlySet<string>): object {
  const ahead = aheadMs(unit, now)
  const id = (text: string): number => texts.add(text)
  const replaced = replacedSums(unit.rows, sumIds, texts)
  const { lease, settle, append, cancel, wake, once, forget, rows, sums, snapshots, index, trim } = unit
  return {
    ...(lease && { lease: [id(lease.kind), id(lease.key), lease.epoch] }),
    ...(settle && { settle: settle === 'done' ? 'done' : [settle.retryAt - ahead, settle.forgive ? 1 : 0] }),
    ...(append?.length && {
      append: append.map(({ stream, expect, events }) => [
        id(stream),
        expect,
        events.map(({ type, at, data }) => [id(type), at, texts.addJson(data)]),
      ]),
    }),
    ...(cancel?.length && { cancel: cancel.map(({ kind, key }) => [id(kind), id(key)]) }),
    ...(wake?.length && {
      wake: wake.map(({ kind, key, at, payload }) => [
        id(kind),
        id(key),
        at - ahead,
        payload === undefined ? null : texts.addJson(payload),
      ]),
    }),
    ...(once?.length && { once: once.map(({ key, value }) => [id(key), texts.addJson(value)]) }),
    ...(forget?.length && { forget: forget.map(({ key, usedBefore }) => [id(key), usedBefore]) }),
    ...(rows?.length && { rows: rows.map((row) => encodeRow(row, texts)) }),
    ...(replaced.length > 0 && { replaced }),
    ...(sums?.length && {
      sums: sums.map(({ view, key, group, sort, add, bounds = [] }) => [
        id(view),
        id(key),
        id(group),
        sort,
        add,
        bounds.map(({ fields, most }) => [fields, most]),
      ]),
    }),
    ...(snapshots?.length && {
      snapshots: snapshots.map(({ stream, seq, version, state }) => [id(stream), seq, version, texts.addJson(state)]),
    }),
    ...(index && {
      index: [
        index.entries.map(({ position, group, words }) => [position, id(group), texts.list.push(words.join(' '))]),
        index.upTo ?? null,
      ],
    }),
    ...(trim?.length && { trim: trim.map(({ stream, before }) => [id(stream), before]) }),
  }
}

function encodeRow(row: NonNullable<Unit['rows']>[number], texts: Texts): unknown[] {
  const where = [texts.add(row.view), texts.add(row.key)]
  if (row.body === null) return where
  const { group, sort, body } = row
  const { folded, text, raw } = encodeRowText(row.text)
  const add = (value: string | null): number | null => (value === null ? null : texts.add(value))
  return [...where, texts.add(group), sort, add(folded), add(text), add(raw), texts.addJson(body)]
}

/** The columns of a text: null where another column has it. */
export function encodeRowText(text: string): { folded: string; text: string | null; raw: string | null } {
  const folded = foldText(text)
  const storable = isStorable(text)
  return { folded, text: folded === text || !storable ? null : text, raw: storable ? null : JSON.stringify(text) }
}

/** The text that a search compares; characters that cannot be stored match nothing. */
export const foldText = (text: string): string => text.toLowerCase().replaceAll('\0', '\ufffd').toWellFormed()

/** The text of a row as it was given. */
export function rowText({ text, folded, raw }: { text: string | null; folded: string; raw: string | null }): ViewRow['text'] {
  return raw === null ? (text ?? folded) : (JSON.parse(raw) as string)
}

/** One result of `commit_units`: the positions of the events, or why the unit was refused, with indexes of texts. */
type EncodedResult =
  | number[]
  | { why: 'fenced' }
  | { why: 'conflict'; stream: number; head: number }
  | { why: 'seen'; key: number; value: string }
  | { why: 'over'; view: number; key: number }

export function decodeResults(units: readonly Unit[], texts: readonly string[], results: readonly EncodedResult[]): UnitResult[] {
  const text = (index: number): string => texts[index - 1] ?? ''
  return results.map((result, index): UnitResult => {
    if (Array.isArray(result)) return { ok: true, events: withPositions(units[index] ?? {}, result) }
    if (result.why === 'conflict') return { ok: false, why: 'conflict', stream: text(result.stream), head: result.head }
    if (result.why === 'seen') return { ok: false, why: 'seen', key: text(result.key), value: JSON.parse(result.value) as unknown }
    if (result.why === 'over') return { ok: false, why: 'over', view: text(result.view), key: text(result.key) }
    return { ok: false, why: 'fenced' }
  })
}

function withPositions({ append = [] }: Unit, positions: readonly number[]): StoredEvent[] {
  let index = 0
  return append.flatMap(({ stream, expect, events }) =>
    events.map((event, offset) => ({ ...event, stream, seq: expect + offset + 1, position: positions[index++] ?? 0 })),
  )
}
