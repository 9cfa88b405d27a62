import { ParleyError } from '../errors.ts'
import type { Store, Unit, UnitResult } from '../ports/store.ts'

export type Committer = {
  commit(unit: Unit): Promise<UnitResult>
  /** Resolves when everything handed in so far is on disk or has failed. */
  drain(): Promise<void>
}

export const committerLimits = { unitsPerCommit: 256, unitsWaiting: 20_000 } as const

type Waiting = { unit: Unit; resolve: (result: UnitResult) => void; reject: (error: unknown) => void }

/**
 * Group commit: what arrives while the event loop turns, or while a commit is under way, shares one fsync.
 * A lone unit does not wait for company. Worth 7 to 20 times the throughput of one commit for each unit.
 */
export function groupCommitter(store: Store): Committer {
  const waiting: Waiting[] = []
  let scheduled = false
  let busy: Promise<void> | null = null

  const schedule = (): void => {
    if (scheduled || busy) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      busy = flush().finally(() => {
        busy = null
        if (waiting.length > 0) schedule()
      })
    })
  }

  async function flush(): Promise<void> {
    const batch = waiting.splice(0, committerLimits.unitsPerCommit)
    if (batch.length === 0) return
    try {
      const results = await store.commit(batch.map(({ unit }) => unit))
      batch.forEach(({ resolve }, index) => resolve(results[index] as UnitResult))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    commit(unit) {
      if (waiting.length >= committerLimits.unitsWaiting) return Promise.reject(new ParleyError('busy', {}, { retryable: true }))
      return new Promise((resolve, reject) => {
        waiting.push({ unit, resolve, reject })
        schedule()
      })
    },
    async drain() {
      // Units that wait are always scheduled, or come after the commit under way.
      while (scheduled || busy) {
        await (busy ?? new Promise((resolve) => setImmediate(resolve)))
      }
    },
  }
}
