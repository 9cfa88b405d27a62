import { silenceMs } from '../rules/build-limits.ts'
import { silenceDueAt } from '../rules/build-state.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Work } from '../../streams/pump.ts'
import type { BuildStreams } from '../builds.ts'

type Parts = { streams: BuildStreams; clock: Clock }

/**
 * The timer of a long silence, as durable work. It reassures in the commit that moves it on, so a crash can neither
 * lose a reassurance nor say it twice.
 *
 * | the build                              | it is               |
 * |----------------------------------------|---------------------|
 * | waits for the person, or is over       | done                |
 * | was heard of since                     | moved on            |
 * | is silent and the person was reassured | looked at later     |
 * | is silent for too long                 | reassures, moves on |
 */
export async function watchSilence({ streams, clock }: Parts, { lease }: Work): Promise<void> {
  // Another process may have changed it; the plan below starts from what is in memory.
  await streams.load(lease.key)
  await streams.handleAll(
    async (load) => {
      const state = await load(lease.key)
      const at = clock.now()
      const { progress } = state
      const isEnding = progress.status === 'complete' || progress.status === 'failed'
      if (progress.isOver || progress.question !== null || isEnding) return { orders: [], settle: 'done' }
      const dueAt = silenceDueAt(state)
      // Never later than a whole silence from now: the clock may have been set back since the build was last heard of.
      if (dueAt === null || dueAt > at)
        return { orders: [], settle: { retryAt: Math.min(dueAt ?? Infinity, at + silenceMs), forgive: true } }
      return {
        orders: [{ stream: lease.key, commands: [{ type: 'reassure', at }] }],
        settle: { retryAt: at + silenceMs, forgive: true },
      }
    },
    { lease },
  )
}
