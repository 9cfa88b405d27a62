import type { Ids } from '../ports/ids.ts'

/** Names that are the same in every run: `q_1`, `q_2`, … */
export function countedIds(): Ids {
  const counts = new Map<string, number>()
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${count}`
    },
  }
}
