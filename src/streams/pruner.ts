import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from './committer.ts'
import { pump, type Work } from './pump.ts'

/** The work that prunes. It refers to no once-only name. */
export const pruneWork = 'prune'

export const pruneLimits = {
  /** Retention after the last use. */
  keptMs: 30 * 24 * 60 * 60_000,
  everyMs: 24 * 60 * 60_000,
  firstAfterMs: 60_000,
  /** After so many batches other work gets its turn for a moment. */
  batchesPerClaim: 20,
  pauseMs: 1_000,
} as const

/** One kind of data that is removed when it is no longer needed. */
export type PruneTask = {
  name: string
  /**
   * Removes one bounded batch of what was last of use before `before`, beginning after `cursor` (empty at first). Returns
   * the next cursor, or null when nothing is left. Doing a batch twice must do no harm.
   */
  batch(before: number, cursor: string): Promise<string | null>
}

export type Pruner = {
  start(): void
  stop(graceMs: number): Promise<void>
}

type Progress = { task: string; cursor: string }

/**
 * Runs its tasks once a day, in bounded batches. It is work like any other: one process does it, it is due again after
 * a restart, and its progress is stored with it.
 */
export function pruner(parts: {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  metrics: Metrics
  tasks: readonly PruneTask[]
}): Pruner {
  const { store, committer, clock, log, metrics, tasks } = parts

  async function handle({ lease, signal }: Work): Promise<void> {
    const begun = lease.payload as Progress | null
    let index = Math.max(
      0,
      tasks.findIndex(({ name }) => name === begun?.task),
    )
    let cursor = begun && tasks[index]?.name === begun.task ? begun.cursor : ''
    const before = clock.now() - pruneLimits.keptMs
    for (let batches = 0; batches < pruneLimits.batchesPerClaim && index < tasks.length && !signal.aborted; batches += 1) {
      const next = await runBatch(tasks[index], before, cursor)
      if (next === null) index += 1
      cursor = next ?? ''
    }
    const task = tasks[index]
    const at = clock.now() + (task ? pruneLimits.pauseMs : pruneLimits.everyMs)
    const progress: Progress | null = task ? { task: task.name, cursor } : null
    await committer.commit({
      lease,
      settle: 'done',
      wake: [{ kind: pruneWork, key: pruneWork, at, payload: progress }],
      repeatable: true,
    })
  }

  /** A task that fails is tried again the next day; the others do not wait for it. */
  async function runBatch(task: PruneTask | undefined, before: number, cursor: string): Promise<string | null> {
    try {
      return (await task?.batch(before, cursor)) ?? null
    } catch (error) {
      log('warn', 'could not prune; it is tried again tomorrow', { task: task?.name, error })
      return null
    }
  }

  async function schedule(): Promise<void> {
    if ((await store.nextDue(pruneWork)) !== null) return
    const at = clock.now() + pruneLimits.firstAfterMs
    await committer.commit({ wake: [{ kind: pruneWork, key: pruneWork, at }], repeatable: true })
  }

  const works = pump({ store, clock, log, metrics, kind: pruneWork, slots: 1, handle })
  return {
    start() {
      schedule().catch((error: unknown) => log('warn', 'pruning could not be scheduled; the next start tries again', { error }))
      works.start()
    },
    stop: works.stop,
  }
}
