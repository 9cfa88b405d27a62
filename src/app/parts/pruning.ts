import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Access } from '../../server/auth/access.ts'
import type { Committer } from '../../streams/committer.ts'
import { pruner } from '../../streams/pruner.ts'
import type { OpenParley } from '../library.ts'
import { onceNames } from '../once-names.ts'
import type { Part } from './part-stack.ts'

export type PruningParts = {
  store: Store
  committer: Committer
  parley: OpenParley
  access: Access
  clock: Clock
  log: Log
  metrics: Metrics
}

/** Deletes once-only names, tokens and sessions that nothing can use any more. */
export const pruningPart = (parts: PruningParts): Part<ReturnType<typeof pruner>> => ({
  name: 'pruning',
  start() {
    const { store, committer, parley, access, clock, log, metrics } = parts
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
        { name: 'sessions', batch: async () => access.pruneSessions().then(() => null) },
      ],
    })
    pruning.start()
    return pruning
  },
  stop: (pruning, graceMs) => pruning.stop(graceMs),
})
