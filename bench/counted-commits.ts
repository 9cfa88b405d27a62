import type { Store } from '../src/ports/store.ts'

/** Counts the commits asked of a store that need an fsync. The store is the same one, so nothing is added to its cost. */
export function countedCommits(store: Store): { readonly commits: number; readonly units: number } {
  const counts = { commits: 0, units: 0 }
  const commit = store.commit.bind(store)
  store.commit = (units) => {
    // A store writes units that may be done again without one.
    if (!units.every(({ repeatable }) => repeatable)) counts.commits += 1
    counts.units += units.length
    return commit(units)
  }
  return counts
}
