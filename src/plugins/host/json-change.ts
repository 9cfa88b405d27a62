import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../shapes/record.ts'

/**
 * The difference between two JSON values. A document is written anew for every message that comes in, and only a little of
 * it is different each time; the log keeps that little.
 */
export type JsonChange =
  | { set: unknown }
  /** Of an object: fields that change, and those that go. */
  | { in: Record<string, JsonChange>; without?: string[] }
  /** Of a list: from this place so many go, and these come. */
  | { at: number; cut: number; put: unknown[] }
  /** Of a list: one item changes. */
  | { at: number; change: JsonChange }

/** Null: they are the same. Each value is compared once, however deep it lies. */
export function changeBetween(before: unknown, after: unknown): JsonChange | null {
  if (Array.isArray(before) && Array.isArray(after)) return listChange(before, after)
  if (isRecord(before) && isRecord(after)) {
    const inner = Object.entries(after).flatMap(([name, value]): [string, JsonChange][] => {
      const change = Object.hasOwn(before, name) ? changeBetween(before[name], value) : { set: value }
      return change ? [[name, change]] : []
    })
    const without = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    if (inner.length === 0 && without.length === 0) return null
    return { in: Object.fromEntries(inner), ...(without.length > 0 && { without }) }
  }
  return isDeepStrictEqual(before, after) ? null : { set: after }
}

function listChange(before: readonly unknown[], after: readonly unknown[]): JsonChange | null {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  let first: JsonChange | null = null
  while (at < shorter && (first = changeBetween(before[at], after[at])) === null) at += 1
  if (at === before.length && at === after.length) return null
  // In lists of the same length the item at `at` would meet itself, and is known to be different.
  const most = shorter - at - (before.length === after.length ? 1 : 0)
  let same = 0
  while (same < most && changeBetween(before.at(-1 - same), after.at(-1 - same)) === null) same += 1
  const cut = before.length - same - at
  const put = after.slice(at, after.length - same)
  return cut === 1 && put.length === 1 && first && !('set' in first) ? { at, change: first } : { at, cut, put }
}

export function applyChange(before: unknown, change: JsonChange | null): unknown {
  if (change === null) return before
  if ('set' in change) return change.set
  if ('in' in change) {
    const fields = isRecord(before) ? before : {}
    const gone = new Set(change.without)
    const remaining = Object.entries(fields).filter(([name]) => !gone.has(name))
    const changed = Object.entries(change.in).map(([name, inner]): [string, unknown] => [
      name,
      applyChange(Object.hasOwn(fields, name) ? fields[name] : undefined, inner),
    ])
    return Object.fromEntries([...remaining, ...changed])
  }
  const list: readonly unknown[] = Array.isArray(before) ? before : []
  return 'put' in change
    ? list.toSpliced(change.at, change.cut, ...change.put)
    : list.with(change.at, applyChange(list[change.at], change.change))
}
