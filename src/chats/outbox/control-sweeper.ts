import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryViews } from './delivery-rows.ts'

export type ControlSweeper = { start(): void; stop(): Promise<void> }

/**
 * Removes the rows of controls that can no longer be used, a bounded number at a time. They stay for a while after
 * their time: who taps one is then told that it is too old, not that it is forged.
 */
export function controlSweeper({
  store,
  committer,
  clock,
  log,
}: {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
}): ControlSweeper {
  let running: Promise<void> = Promise.resolve()
  let takeBack: (() => void) | null = null
  let isStopped = false

  async function sweep(): Promise<void> {
    const before = { sort: clock.now() - deliveryLimits.controlsKeptMs, key: '' }
    for (let batch = 0; batch < deliveryLimits.sweepBatches && !isStopped; batch += 1) {
      const old = await store.rows({ view: deliveryViews.controls, before, limit: deliveryLimits.sweepRows })
      if (old.length > 0) await committer.commit({ rows: old.map(({ view, key }) => ({ view, key, body: null })) })
      if (old.length < deliveryLimits.sweepRows) return
    }
  }

  function later(): void {
    if (isStopped) return
    takeBack = clock.after(deliveryLimits.sweepEveryMs, () => {
      running = sweep()
        .catch((error: unknown) => log('warn', 'old controls could not be taken away; it is tried again later', { error }))
        .finally(later)
    })
  }

  return {
    start() {
      isStopped = false
      if (takeBack === null) later()
    },
    async stop() {
      isStopped = true
      takeBack?.()
      takeBack = null
      await running
    },
  }
}
