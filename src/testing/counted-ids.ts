import type { Ids } from '../ports/ids.ts'

/** Names that are the same in every run: `q_1`, `q_2`, …; a UUID holds its time and ends with its count. */
export function countedIds(): Ids {
  const counts = new Map<string, number>()
  const counted = (what: string): number => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return count
  }
  return {
    next: (prefix) => `${prefix}_${counted(prefix)}`,
    uuid(at) {
      const time = at.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(counted('uuid')).padStart(12, '0')}`
    },
  }
}
