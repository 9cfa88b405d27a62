import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noMetrics } from '../ports/metrics.ts'
import { silentLog } from '../ports/log.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { pump } from './pump.ts'

test('pump: a clock that is set forward does not start running work a second time', async () => {
  const time = simulatedClock()
  let stepMs = 0
  const clock = { now: () => time.now() + stepMs, after: time.after }
  const store = memoryStore({ clock })
  const started: number[] = []
  const lost: unknown[] = []
  const work = pump({
    store,
    clock,
    log: silentLog,
    metrics: noMetrics,
    kind: 'turn',
    slots: 4,
    async handle({ lease, signal }) {
      started.push(lease.epoch)
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          lost.push(signal.reason)
          resolve()
        }),
      )
    },
  })
  work.start()
  await store.commit([{ wake: [{ kind: 'turn', key: 'a', at: clock.now() }] }])
  await time.advance(2_000)
  assert.equal(started.length, 1)
  stepMs = 60 * 60_000
  await time.advance(5_000)
  assert.deepEqual([started.length, lost], [1, []])
  await work.stop(0)
  await store.close()
})
