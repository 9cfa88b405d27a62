import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { pump, type Pump } from '../../streams/pump.ts'
import { type ApprovalCopies, escalateWork } from './approval-copies.ts'

const concurrentEscalations = 8

/** Notifies further people of approvals that have waited for the time their rule names. The timer is work, so it outlives a restart. */
export function escalation(parts: {
  store: Store
  committer: Committer
  approvals: Pick<ApprovalCopies, 'escalate'>
  clock: Clock
  log: Log
  metrics: Metrics
}): Pump {
  const { store, committer, approvals, clock, log, metrics } = parts
  return pump({
    store,
    clock,
    log,
    metrics,
    kind: escalateWork,
    slots: concurrentEscalations,
    async handle({ lease }) {
      await approvals.escalate(lease.key)
      await committer.commit({ lease, settle: 'done', repeatable: true })
    },
  })
}
