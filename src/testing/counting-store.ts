import type { Store } from '../ports/store.ts'

export type StoreCounts = { commits: number; units: number; claims: number; reads: number }

/** Counts what is asked of a store; a crash test first learns from it how many commit points there are. */
export function countingStore(inside: Store): Store & { readonly counts: StoreCounts } {
  const counts: StoreCounts = { commits: 0, units: 0, claims: 0, reads: 0 }
  // A store may be an instance of a class, whose methods an object spread would leave behind.
  return Object.assign(Object.create(inside) as Store, {
    owner: inside.owner,
    hints: inside.hints,
    counts,
    commit(units: Parameters<Store['commit']>[0]) {
      counts.commits++
      counts.units += units.length
      return inside.commit(units)
    },
    claim(...args: Parameters<Store['claim']>) {
      counts.claims++
      return inside.claim(...args)
    },
    read(...args: Parameters<Store['read']>) {
      counts.reads++
      return inside.read(...args)
    },
    readAll(...args: Parameters<Store['readAll']>) {
      counts.reads++
      return inside.readAll(...args)
    },
  })
}
