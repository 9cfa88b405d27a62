import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noMetrics } from '../ports/metrics.ts'
import { silentLog } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { pump } from './pump.ts'

type Stepping = { set(aheadMs: number): void; advance(ms: number): Promise<void>; now(): number }

/** One piece of work that runs until it is aborted, and takes a moment to end then. */
async function atWork(play: (clock: Stepping, store: Store, seen: { started: number; most: number; lost: unknown[] }) => Promise<void>) {
  const time = simulatedClock()
  let aheadMs = 0
  const clock = { now: () => time.now() + aheadMs, after: time.after }
  const store = memoryStore({ clock })
  const record = { started: 0, running: 0, most: 0, lost: [] as unknown[] }
  const work = pump({
    store,
    clock,
    log: silentLog,
    metrics: noMetrics,
    kind: 'turn',
    slots: 4,
    async handle({ signal }) {
      record.started += 1
      record.running += 1
      record.most = Math.max(record.most, record.running)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => time.after(500, resolve)))
      record.lost.push(signal.reason)
      record.running -= 1
    },
  })
  work.start()
  await store.commit([{ wake: [{ kind: 'turn', key: 'a', at: clock.now() }] }])
  await time.advance(2_000)
  assert.equal(record.started, 1)
  await play({ set: (ms) => (aheadMs = ms), advance: (ms) => time.advance(ms), now: clock.now }, store, record)
  await work.stop(0)
  await store.close()
}

test('pump: a clock that is set forward does not start running work a second time', async () => {
  await atWork(async (clock, _store, seen) => {
    clock.set(60 * 60_000)
    await clock.advance(5_000)
    assert.deepEqual([seen.started, seen.lost], [1, []])
  })
})

test('pump: a clock that is set back and then forward does not start running work a second time', async () => {
  await atWork(async (clock, _store, seen) => {
    clock.set(-60 * 60_000)
    await clock.advance(2_000)
    clock.set(-59 * 60_000)
    await clock.advance(5_000)
    assert.deepEqual([seen.started, seen.lost], [1, []])
  })
})

test('pump: after a step forward, a step half back and forward again does not start running work a second time', async () => {
  await atWork(async (clock, _store, seen) => {
    for (const minutes of [60, 30, 59]) {
      clock.set(minutes * 60_000)
      await clock.advance(2_000)
    }
    assert.deepEqual([seen.started, seen.lost], [1, []])
  })
})

test('pump: work that is claimed again while it runs here waits until its first run has ended', async () => {
  await atWork(async (clock, store, seen) => {
    // The store sees a step back that the pump does not: the lease moves, and runs out with the step forward.
    clock.set(-60 * 60_000)
    await store.nextDue('turn')
    clock.set(0)
    await clock.advance(5_000)
    assert.deepEqual([seen.started, seen.most, seen.lost], [2, 1, ['lost']])
  })
})
