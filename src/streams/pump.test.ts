import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noMetrics } from '../ports/metrics.ts'
import { silentLog } from '../ports/log.ts'
import type { Lease, Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { pump, pumpLimits } from './pump.ts'

test('pump: work whose lease is lost is aborted at the next heartbeat, other work goes on', async () => {
  const clock = simulatedClock()
  const memory = memoryStore({ clock })
  let lost: readonly string[] = []
  const store: Store = {
    ...memory,
    extend: async (leases: readonly Lease[], leaseMs: number) => {
      await memory.extend(leases, leaseMs)
      return leases.filter(({ key }) => lost.includes(key))
    },
  }
  const ended: [string, unknown][] = []
  const work = pump({
    store,
    clock,
    log: silentLog,
    metrics: noMetrics,
    kind: 'turn',
    slots: 4,
    async handle({ lease, signal }) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      ended.push([lease.key, signal.reason])
    },
  })
  work.start()
  await store.commit([{ wake: ['a', 'b'].map((key) => ({ kind: 'turn', key, at: clock.now() })) }])
  await clock.advance(pumpLimits.heartbeatMs)
  assert.equal(work.running, 2)
  assert.deepEqual(ended, [])
  lost = ['a']
  await clock.advance(pumpLimits.heartbeatMs + 1_000)
  assert.deepEqual(ended, [['a', 'lost']])
  lost = []
  await work.stop(0)
  assert.deepEqual(ended.slice(1), [['b', 'shutdown']])
  await store.close()
})

test('pump: claims no more work than it has slots, and the rest when one is free', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const running = new Map<string, () => void>()
  let most = 0
  const work = pump({
    store,
    clock,
    log: silentLog,
    metrics: noMetrics,
    kind: 'turn',
    slots: 2,
    async handle({ lease }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.set(lease.key, resolve)
      most = Math.max(most, running.size)
      await promise
      running.delete(lease.key)
      await store.commit([{ lease, settle: 'done' }])
    },
  })
  work.start()
  await store.commit([{ wake: ['a', 'b', 'c', 'd'].map((key) => ({ kind: 'turn', key, at: clock.now() })) }])
  let lastSeen = 0
  for (let round = 0; round < 8 && lastSeen < 4; round += 1) {
    await clock.advance(pumpLimits.backstopMs)
    const [first] = running
    if (!first) continue
    lastSeen += 1
    first[1]()
  }
  await clock.advance(pumpLimits.backstopMs)
  assert.equal(lastSeen, 4)
  assert.equal(most, 2)
  await work.stop(0)
  await store.close()
})

/** A pump with one slot whose work does what `handle` says. */
function oneSlot(handle: (lease: Lease) => Promise<void>, more: Partial<Parameters<typeof pump>[0]> = {}) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const wake = (at: number, kind = 'turn') => store.commit([{ wake: [{ kind, key: 'a', at }] }])
  const parts = { store, clock, log: silentLog, metrics: noMetrics, kind: 'turn', slots: 1 }
  return { clock, store, wake, work: pump({ ...parts, handle: ({ lease }) => handle(lease), ...more }) }
}

test('pump: work that fails is tried again later each time, at most after a minute', async () => {
  const starts: number[] = []
  const { clock, store, wake, work } = oneSlot(async () => {
    starts.push(clock.now())
    throw new Error('broken')
  })
  work.start()
  await wake(clock.now())
  await clock.advance(20 * 60_000)
  const waits = starts.slice(1).map((at, index) => Math.round((at - (starts[index] ?? 0)) / 1_000))
  const expected = Array.from({ length: waits.length }, (_, index) => Math.min(5 * (index + 1), 60))
  assert.deepEqual(waits, expected)
  assert.ok(waits.length > 15)
  await work.stop(0)
  await store.close()
})

test('pump: work that is due later starts at its time', async () => {
  const starts: number[] = []
  const { clock, store, wake, work } = oneSlot(async (lease) => {
    starts.push(clock.now())
    await store.commit([{ lease, settle: 'done' }])
  })
  const begun = clock.now()
  work.start()
  await wake(begun + 300)
  await clock.advance(299)
  assert.deepEqual(starts, [])
  await clock.advance(1)
  assert.deepEqual(starts, [begun + 300])
  await work.stop(0)
  await store.close()
})

test('pump: claims nothing while it may not, and nothing after it was stopped', async () => {
  let isAllowed = false
  let starts = 0
  const { clock, store, wake, work } = oneSlot(
    async (lease) => {
      starts += 1
      await store.commit([{ lease, settle: 'done' }])
    },
    { mayClaim: async () => isAllowed },
  )
  work.start()
  work.start()
  await wake(clock.now())
  await clock.advance(10_000)
  assert.equal(starts, 0)
  isAllowed = true
  await clock.advance(pumpLimits.backstopMs)
  assert.equal(starts, 1)
  await work.stop(0)
  assert.equal(clock.next(), null, 'no timer is left')
  await wake(clock.now())
  work.look()
  await clock.advance(10_000)
  assert.equal(starts, 1)
  await store.close()
})

test('pump: a store that fails for a while is asked again', async () => {
  let isBroken = true
  let starts = 0
  const { clock, store, wake, work } = oneSlot(
    async (lease) => {
      starts += 1
      await store.commit([{ lease, settle: 'done' }])
    },
    { mayClaim: async () => (isBroken ? Promise.reject(new Error('disk')) : true) },
  )
  work.start()
  await wake(clock.now())
  await clock.advance(5_000)
  isBroken = false
  await clock.advance(pumpLimits.backstopMs)
  assert.equal(starts, 1)
  await work.stop(0)
  await store.close()
})

test('pump: a stop waits for running work, at most as long as it may', { timeout: 10_000 }, async () => {
  const barrier = Promise.withResolvers<void>()
  const { clock, store, wake, work } = oneSlot(() => barrier.promise)
  work.start()
  await wake(clock.now())
  await clock.advance(0)
  assert.equal(work.running, 1)
  let isStopped = false
  const stopping = work.stop(60_000).then(() => (isStopped = true))
  await clock.advance(0)
  assert.equal(isStopped, false)
  barrier.resolve()
  await stopping
  assert.equal(work.running, 0)
  await store.close()
})

test('pump: the heartbeat is called while work runs, and only then', async () => {
  let beats = 0
  const gate = Promise.withResolvers<void>()
  const { clock, store, wake, work } = oneSlot(
    async (lease) => {
      await gate.promise
      await store.commit([{ lease, settle: 'done' }])
    },
    { onHeartbeat: () => (beats += 1) },
  )
  work.start()
  await clock.advance(3 * pumpLimits.heartbeatMs)
  assert.equal(beats, 0)
  await wake(clock.now())
  await clock.advance(3 * pumpLimits.heartbeatMs)
  assert.equal(beats, 3)
  gate.resolve()
  await clock.advance(3 * pumpLimits.heartbeatMs)
  assert.equal(beats, 3)
  await work.stop(0)
  await store.close()
})

test('pump: one that was stopped can be started again', async () => {
  let starts = 0
  const { clock, store, wake, work } = oneSlot(async (lease) => {
    starts += 1
    await store.commit([{ lease, settle: 'done' }])
  })
  work.start()
  await work.stop(0)
  await wake(clock.now())
  work.start()
  await clock.advance(pumpLimits.backstopMs)
  assert.equal(starts, 1)
  await work.stop(0)
  await store.close()
})

test('pump: work that is claimed while it stops does not run and can be claimed at once', async () => {
  const clock = simulatedClock()
  const memory = memoryStore({ clock })
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const store: Store = {
    ...memory,
    async claim(...args: Parameters<Store['claim']>) {
      const leases = await memory.claim(...args)
      asked.resolve()
      await answer.promise
      return leases
    },
  }
  const keys: string[] = []
  const work = pump({
    store,
    clock,
    log: silentLog,
    metrics: noMetrics,
    kind: 'turn',
    slots: 1,
    handle: async ({ lease }) => void keys.push(lease.key),
  })
  await store.commit([{ wake: [{ kind: 'turn', key: 'a', at: clock.now() }] }])
  work.start()
  await asked.promise
  const stopped = work.stop(60_000)
  answer.resolve()
  await stopped
  assert.deepEqual(keys, [])
  const [again] = await memory.claim('turn', 1, 1_000)
  assert.deepEqual([again?.key, again?.attempts], ['a', 1])
  await memory.close()
})
