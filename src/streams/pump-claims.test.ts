import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../ports/log.ts'
import { noMetrics } from '../ports/metrics.ts'
import type { Lease, Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { pump, pumpLimits } from './pump.ts'

type Parts = Parameters<typeof pump>[0]

/** A pump over a store that is partly replaced. Its work runs until it is released or aborted. */
function scene({ slots = 2, store: replace, ...more }: { store?: (inside: Store) => Partial<Store> } & Partial<Omit<Parts, 'store'>> = {}) {
  const clock = simulatedClock()
  const inside = memoryStore({ clock })
  let claims = 0
  const counting: Store = { ...inside, claim: (...args) => ((claims += 1), inside.claim(...args)) }
  const store: Store = { ...counting, ...replace?.(counting) }
  const running = new Map<string, () => void>()
  const started: string[] = []
  const aborted: [string, unknown][] = []
  async function handle({ lease, signal }: { lease: Lease; signal: AbortSignal }) {
    started.push(lease.key)
    const { promise, resolve } = Promise.withResolvers<void>()
    running.set(lease.key, resolve)
    signal.addEventListener('abort', () => (aborted.push([lease.key, signal.reason]), resolve()))
    await promise
    if (!signal.aborted) await inside.commit([{ lease, settle: 'done' }])
  }
  const work = pump({ store, clock, log: silentLog, metrics: noMetrics, kind: 'turn', slots, handle, ...more })
  const wake = async (...keys: string[]) => {
    await inside.commit([{ wake: keys.map((key) => ({ kind: 'turn', key, at: clock.now() })) }])
    await clock.advance(0)
  }
  const release = async (key: string) => {
    running.get(key)?.()
    await clock.advance(0)
  }
  return { clock, work, wake, release, started, aborted, countClaims: () => claims }
}

test('pump: without due work it asks the store once in each backstop period', async () => {
  const { clock, work, countClaims } = scene()
  work.start()
  await clock.advance(0)
  assert.equal(countClaims(), 1)
  await clock.advance(10 * pumpLimits.backstopMs)
  assert.equal(countClaims(), 11)
  await work.stop(0)
})

test('pump: while all slots are taken it asks the store for nothing', async () => {
  const { clock, work, wake, release, started, countClaims } = scene({ slots: 1 })
  work.start()
  await wake('a', 'b')
  const claims = countClaims()
  await wake('c')
  work.look()
  await clock.advance(5 * pumpLimits.backstopMs)
  assert.deepEqual([started, countClaims()], [['a'], claims])
  await release('a')
  assert.deepEqual(started, ['a', 'b'])
  await work.stop(0)
})

test('pump: a hint with free slots is followed at once, also after a claim that took all that was due', async () => {
  const { work, wake, started } = scene({ slots: 3 })
  work.start()
  await wake('a')
  await wake('b')
  await wake('c')
  assert.deepEqual(started, ['a', 'b', 'c'])
  await work.stop(0)
})

test('pump: hints of other kinds of work are ignored', async () => {
  const { clock, work, wake, started } = scene({
    store: (inside) => ({ hints: { ...inside.hints, onWork: (listen) => inside.hints.onWork(() => listen('other')) } }),
  })
  work.start()
  await clock.advance(0)
  await wake('a')
  assert.deepEqual(started, [])
  await clock.advance(pumpLimits.backstopMs)
  assert.deepEqual(started, ['a'], 'the backstop finds it')
  await work.stop(0)
})

test('pump: a hint during a claim leads to one more claim after it, never to two at once', async () => {
  const gates: (() => void)[] = []
  let [claiming, most] = [0, 0]
  const { clock, work, wake, started } = scene({
    store: (inside) => ({
      async claim(...args) {
        claiming += 1
        most = Math.max(most, claiming)
        const { promise, resolve } = Promise.withResolvers<void>()
        gates.push(resolve)
        const leases = await inside.claim(...args)
        await promise
        claiming -= 1
        return leases
      },
    }),
  })
  work.start()
  await clock.advance(0)
  await wake('a')
  await wake('b')
  assert.deepEqual([gates.length, started], [1, []])
  gates[0]?.()
  await clock.advance(0)
  assert.equal(gates.length, 2)
  gates[1]?.()
  await clock.advance(0)
  assert.deepEqual([started.toSorted(), most], [['a', 'b'], 1])
  await work.stop(0)
})

test('pump: claims nothing new while it stops, and nothing is left to wait for after that', async () => {
  const hold = Promise.withResolvers<void>()
  let starts = 0
  const { clock, work, wake } = scene({
    slots: 2,
    async handle() {
      starts += 1
      await hold.promise
    },
  })
  work.start()
  await wake('a')
  const stopped = work.stop(60_000)
  await wake('b')
  work.look()
  await clock.advance(pumpLimits.backstopMs)
  assert.equal(starts, 1)
  hold.resolve()
  await stopped
  await clock.advance(10 * pumpLimits.backstopMs)
  assert.deepEqual([starts, clock.next()], [1, null])
})

test('pump: leases are extended while it stops, because its work still runs', async () => {
  const hold = Promise.withResolvers<void>()
  let extensions = 0
  const { clock, work, wake } = scene({
    handle: () => hold.promise,
    store: (inside) => ({ extend: (...args) => ((extensions += 1), inside.extend(...args)) }),
  })
  work.start()
  await wake('a')
  const stopped = work.stop(600_000)
  await clock.advance(3 * pumpLimits.heartbeatMs)
  assert.equal(extensions, 3)
  hold.resolve()
  await stopped
  await clock.advance(3 * pumpLimits.heartbeatMs)
  assert.equal(extensions, 3)
})

test('pump: leases that could not be extended are extended at the next heartbeat', async () => {
  let tries = 0
  const { clock, work, wake, aborted } = scene({
    store: (inside) => ({
      extend: (...args) => ((tries += 1), tries === 1 ? Promise.reject(new Error('disk')) : inside.extend(...args)),
    }),
  })
  work.start()
  await wake('a')
  await clock.advance(pumpLimits.heartbeatMs)
  await clock.advance(pumpLimits.heartbeatMs)
  assert.deepEqual([tries, aborted], [2, []])
  await work.stop(0)
  assert.deepEqual(aborted, [['a', 'shutdown']])
})

test('pump: an older claim of the same work that is lost does not abort the newer one', async () => {
  const { clock, work, wake, aborted } = scene({
    store: (inside) => ({
      async extend(leases, leaseMs) {
        await inside.extend(leases, leaseMs)
        return leases.map((lease) => ({ ...lease, epoch: lease.epoch - 1 }))
      },
    }),
  })
  work.start()
  await wake('a')
  await clock.advance(pumpLimits.heartbeatMs)
  assert.deepEqual(aborted, [])
  await work.stop(0)
})

test('pump: a stop gives up after its grace period on work that ignores it', async () => {
  const { work, wake } = scene({ handle: () => new Promise(() => {}) })
  work.start()
  await wake('a')
  await work.stop(5)
  assert.equal(work.running, 1)
})

test('pump: work that fails is counted under its kind', async () => {
  const counts: unknown[] = []
  const { work, wake } = scene({
    metrics: { ...noMetrics, count: (...args) => void counts.push(args) },
    handle: () => Promise.reject(new Error('broken')),
  })
  work.start()
  await wake('a')
  assert.deepEqual(counts, [['work_faults_total', 1, { kind: 'turn' }]])
  await work.stop(0)
})

test('pump: several looks in one turn of the loop are one claim', async () => {
  const { clock, work, countClaims } = scene()
  work.start()
  for (let count = 0; count < 5; count += 1) work.look()
  await clock.advance(0)
  assert.equal(countClaims(), 1)
  work.look()
  work.look()
  await clock.advance(0)
  assert.equal(countClaims(), 2)
  await work.stop(0)
})

test('pump: a hint while it asks when work is due is followed at once, and once', async () => {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const { clock, work, wake, started, countClaims } = scene({
    store: (inside) => ({
      async nextDue(kind) {
        asked += 1
        const due = await inside.nextDue(kind)
        if (asked === 1) await gate.promise
        return due
      },
    }),
  })
  work.start()
  await clock.advance(0)
  await wake('a')
  assert.deepEqual(started, [])
  gate.resolve()
  await clock.advance(0)
  assert.deepEqual([started, countClaims()], [['a'], 2])
  await work.stop(0)
})

test('pump: work that became due since the claim is claimed without delay', async () => {
  let isFirst = true
  const { clock, work, started, wake } = scene({
    store: (inside) => ({
      hints: { ...inside.hints, onWork: () => () => {} },
      async claim(...args) {
        const leases = isFirst ? [] : await inside.claim(...args)
        isFirst = false
        return leases
      },
    }),
  })
  await wake('a')
  work.start()
  await clock.advance(0)
  assert.deepEqual(started, ['a'])
  await work.stop(0)
})

test('pump: a stop ends its subscription to hints', async () => {
  let listeners = 0
  const { work } = scene({
    store: (inside) => ({ hints: { ...inside.hints, onWork: () => ((listeners += 1), () => (listeners -= 1)) } }),
  })
  work.start()
  assert.equal(listeners, 1)
  await work.stop(0)
  assert.equal(listeners, 0)
})
