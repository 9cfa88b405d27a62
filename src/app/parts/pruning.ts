import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Access } from '../../server/auth/access.ts'
import type { Committer } from '../../streams/committer.ts'
import { folderFiles } from '../../store/folder-files.ts'
import { pruner, type PruneTask } from '../../streams/pruner.ts'
import type { OpenParley } from '../library.ts'
import { onceNames } from '../once-names.ts'
import { retireBatch } from '../retire/retire-dialogs.ts'
import type { Part } from './part-stack.ts'

export type PruningParts = {
  store: Store
  committer: Committer
  parley: OpenParley
  access: Access
  clock: Clock
  log: Log
  metrics: Metrics
  /** Files of retired dialogs; null where none are retired. */
  retire: { afterDays: number; folder: string } | null
}

/** Deletes once-only names, tokens and sessions that nothing can use any more. */
export const pruningPart = (parts: PruningParts): Part<ReturnType<typeof pruner>> => ({
  name: 'pruning',
  start() {
    const { store, committer, parley, access, clock, log, metrics, retire } = parts
    const pruning = pruner({
      store,
      committer,
      clock,
      log,
      metrics,
      tasks: [
        onceNames({ store, committer, dialogs: parley.streams, builds: parley.buildStreams }),
        { name: 'tokens', batch: async (before) => ((await access.pruneTokens(before)) ? 'more' : null) },
        { name: 'files', batch: (_before, cursor) => parley.pruneFiles(cursor) },
        ...(retire ? [retireTask(parts, retire)] : []),
        { name: 'sessions', batch: async () => access.pruneSessions().then(() => null) },
      ],
    })
    pruning.start()
    return pruning
  },
  stop: (pruning, graceMs) => pruning.stop(graceMs),
})

function retireTask(
  { store, parley, clock, metrics }: PruningParts,
  { afterDays, folder }: { afterDays: number; folder: string },
): PruneTask {
  const files = folderFiles(folder)
  return {
    name: 'finished dialogs',
    async batch(_before, cursor) {
      try {
        const parts = { store, dialogs: parley.streams, files, folder, clock }
        const { dialogs, next } = await retireBatch(parts, afterDays * 24 * 60 * 60_000, cursor)
        metrics.count('dialogs_retired_total', dialogs)
        return next
      } catch (error) {
        metrics.count('retire_failures_total', 1)
        throw error
      }
    },
  }
}
