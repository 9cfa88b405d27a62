import { ChurnMap } from './churn-map.ts'

/**
 * Lets what is under one key happen one after the other. Many who write to the same stream would only conflict with each
 * other in the store, and each conflict costs all of them another look.
 */
export type TakingTurns = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>

export function takingTurns(): TakingTurns {
  const ends = new ChurnMap<Promise<unknown>>()
  return async (key, act) => {
    const before = ends.get(key)
    const mine = before ? before.then(act, act) : act()
    ends.set(key, mine)
    try {
      return await mine
    } finally {
      if (ends.get(key) === mine) ends.delete(key)
    }
  }
}
