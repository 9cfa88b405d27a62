import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { pump, type Pump } from '../../streams/pump.ts'
import { fileView } from '../rows/file-rows.ts'
import { fileRemovalWork } from '../rules/follow-ups.ts'

export const fileRemovalLimits = { concurrent: 2 } as const

type Parts = { store: Store; committer: Committer; files: Files; clock: Clock; log: Log; metrics: Metrics }

/** Removes the bytes of files of deleted dialogs. A file that another dialog refers to stays. After a crash it begins again. */
export const fileRemoval = ({ store, committer, files, clock, log, metrics }: Parts): Pump =>
  pump({
    store,
    clock,
    log,
    metrics,
    kind: fileRemovalWork,
    slots: fileRemovalLimits.concurrent,
    async handle({ lease }) {
      for (const file of lease.payload as readonly string[]) if ((await store.countRows(fileView, file)) === 0) await files.remove(file)
      await committer.commit({ lease, settle: 'done', repeatable: true })
    },
  })
