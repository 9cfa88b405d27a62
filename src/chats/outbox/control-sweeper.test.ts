import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlSweeper } from './control-sweeper.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryViews } from './delivery-rows.ts'
import { silentLog } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'

async function withControls(expiries: readonly number[], change: (store: Store) => Partial<Store> = () => ({})) {
  const clock = simulatedClock()
  const inside = memoryStore({ clock })
  const store: Store = { ...inside, ...change(inside) }
  const committer = groupCommitter(store)
  const start = clock.now()
  await committer.commit({
    rows: expiries.map((after, at) => ({
      view: deliveryViews.controls,
      key: `t${at}`,
      group: 'd',
      sort: start + after,
      text: '',
      body: {},
    })),
  })
  const sweeper = controlSweeper({ store, committer, clock, log: silentLog })
  sweeper.start()
  return { clock, store, sweeper }
}

test('controls are forgotten a while after their time, and not before', async () => {
  const { clock, store, sweeper } = await withControls([0, deliveryLimits.sweepEveryMs * 3])
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(await store.countRows(deliveryViews.controls), 2)
  await clock.advance(deliveryLimits.controlsKeptMs)
  assert.deepEqual([await store.row(deliveryViews.controls, 't0'), (await store.row(deliveryViews.controls, 't1'))?.key], [null, 't1'])
  await clock.advance(deliveryLimits.sweepEveryMs * 5)
  assert.equal(await store.countRows(deliveryViews.controls), 0)
  await sweeper.stop()
})

test('many controls are removed in several steps of one sweep', async () => {
  const { clock, store, sweeper } = await withControls(
    Array.from({ length: deliveryLimits.sweepRows * 2 + 5 }, () => -deliveryLimits.controlsKeptMs),
  )
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(await store.countRows(deliveryViews.controls), 0)
  await sweeper.stop()
})

test('nothing is taken away after the end', async () => {
  const { clock, store, sweeper } = await withControls([-deliveryLimits.controlsKeptMs * 2])
  await sweeper.stop()
  await clock.advance(deliveryLimits.sweepEveryMs * 2)
  assert.equal(await store.countRows(deliveryViews.controls), 1)
})

test('one sweep removes a bounded number of controls, the next one the rest', async () => {
  const most = deliveryLimits.sweepRows * deliveryLimits.sweepBatches
  const { clock, store, sweeper } = await withControls(Array.from({ length: most + 1 }, () => -deliveryLimits.controlsKeptMs))
  await clock.advance(deliveryLimits.sweepEveryMs)
  for (let round = 0; round < 10; round += 1) await clock.advance(0)
  assert.equal(await store.countRows(deliveryViews.controls), 1)
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(await store.countRows(deliveryViews.controls), 0)
  await sweeper.stop()
  assert.equal(clock.next(), null)
})

test('a stop during a sweep waits for the step that runs, and no further step or sweep follows', async () => {
  const reading = Promise.withResolvers<void>()
  const expiries = Array.from({ length: deliveryLimits.sweepRows + 1 }, () => -deliveryLimits.controlsKeptMs)
  const { clock, store, sweeper } = await withControls(expiries, ({ rows }) => ({
    rows: async (query) => (await reading.promise, rows(query)),
  }))
  await clock.advance(deliveryLimits.sweepEveryMs)
  let isStopped = false
  const stopped = sweeper.stop().then(() => (isStopped = true))
  await clock.advance(0)
  assert.equal(isStopped, false)
  reading.resolve()
  await stopped
  await clock.advance(0)
  assert.deepEqual([await store.countRows(deliveryViews.controls), clock.next()], [1, null])
})

test('a sweep that fails is tried again at the next time', async () => {
  let faults = 1
  const { clock, store, sweeper } = await withControls([-deliveryLimits.controlsKeptMs * 2], ({ rows }) => ({
    rows: async (query) => {
      if (faults-- > 0) throw new Error('disk')
      return rows(query)
    },
  }))
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(await store.countRows(deliveryViews.controls), 1)
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(await store.countRows(deliveryViews.controls), 0)
  await sweeper.stop()
})

test('a second start makes no second sweep', async () => {
  let reads = 0
  const { clock, sweeper } = await withControls([], ({ rows }) => ({ rows: (query) => ((reads += 1), rows(query)) }))
  sweeper.start()
  await clock.advance(deliveryLimits.sweepEveryMs)
  assert.equal(reads, 1)
  await sweeper.stop()
})
