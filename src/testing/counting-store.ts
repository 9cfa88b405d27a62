import type { Store } from '../ports/store.ts'

export type StoreCounts = { commits: number; units: number; claims: number; reads: number }

/** Counts what is asked of a store; a crash test first learns from it how many commit points there are. */
export function countingStore(inside: Store): Store & { readonly counts: StoreCounts } {
  const counts: StoreCounts = { commits: 0, units: 0, claims: 0, reads: 0 }
  return {
    ...inside,
    counts,
    commit(units) {
      counts.commits++
      counts.units += units.length
      return inside.commit(units)
    },
    claim(...args) {
      counts.claims++
      return inside.claim(...args)
    },
    read(...args) {
      counts.reads++
      return inside.read(...args)
    },
    readAll(...args) {
      counts.reads++
      return inside.readAll(...args)
    },
  }
}
