import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../ports/log.ts'
import { noMetrics } from '../ports/metrics.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../testing/simulated-clock.ts'
import { groupCommitter } from './committer.ts'
import { pruneLimits, pruner, type PruneTask } from './pruner.ts'

function open(clock: SimulatedClock, tasks: readonly PruneTask[], backing = memoryBacking()) {
  const store = memoryStore({ clock, backing })
  const committer = groupCommitter(store)
  return { store, backing, pruning: pruner({ store, committer, clock, log: silentLog, metrics: noMetrics, tasks }) }
}

/** Counts down from `batches`; its cursor is what is left. */
const countdown = (name: string, batches: number, done: string[]): PruneTask => ({
  name,
  async batch(_before, cursor) {
    const remaining = cursor === '' ? batches : Number(cursor)
    done.push(`${name} ${remaining}`)
    return remaining > 1 ? String(remaining - 1) : null
  },
})

test('pruner: runs every task to its end a minute after the first start, and again each day', async () => {
  const clock = simulatedClock()
  const steps: string[] = []
  const times: number[] = []
  const { pruning } = open(clock, [
    countdown('a', 2, steps),
    { name: 'b', batch: async (before) => (times.push(before - clock.now()), null) },
  ])
  pruning.start()
  await clock.advance(pruneLimits.firstAfterMs - 2_000)
  assert.deepEqual(steps, [])
  await clock.advance(4_000)
  assert.deepEqual(steps, ['a 2', 'a 1'])
  assert.deepEqual(times, [-pruneLimits.keptMs])
  await pruning.stop(0)
})

test('pruner: a long task makes pauses, and goes on where it was after a restart', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const prunedNames: string[] = []
  const batches = pruneLimits.batchesPerClaim + 5
  const first = open(clock, [countdown('a', 1, prunedNames), countdown('b', batches, prunedNames)], backing)
  first.pruning.start()
  await clock.advance(pruneLimits.firstAfterMs + 500)
  assert.equal(prunedNames.length, pruneLimits.batchesPerClaim)
  await first.pruning.stop(0)
  await first.store.close()
  const second = open(clock, [countdown('a', 1, prunedNames), countdown('b', batches, prunedNames)], backing)
  second.pruning.start()
  await clock.advance(3_000)
  assert.equal(prunedNames.length, 1 + batches, 'no batch was done twice')
  assert.equal(prunedNames.at(-1), 'b 1')
  assert.ok((await computeDue(second.store)) > clock.now() + pruneLimits.everyMs - 5_000, 'the next run is tomorrow')
  await second.pruning.stop(0)
})

const computeDue = async (store: { nextDue(kind: string): Promise<number | null> }): Promise<number> => (await store.nextDue('prune')) ?? 0

test('pruner: a task that fails does not keep the others from running', async () => {
  const clock = simulatedClock()
  const prunedNames: string[] = []
  const broken: PruneTask = { name: 'broken', batch: () => Promise.reject(new Error('no')) }
  const { pruning, store } = open(clock, [broken, countdown('a', 1, prunedNames)])
  pruning.start()
  await clock.advance(pruneLimits.firstAfterMs + 2_000)
  assert.deepEqual(prunedNames, ['a 1'])
  assert.ok((await computeDue(store)) > clock.now() + pruneLimits.everyMs - 5_000)
  await pruning.stop(0)
})

test('pruner: of two processes one prunes', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const prunedNames: string[] = []
  const both = [open(clock, [countdown('a', 1, prunedNames)], backing), open(clock, [countdown('a', 1, prunedNames)], backing)]
  for (const { pruning } of both) pruning.start()
  await clock.advance(pruneLimits.firstAfterMs + 5_000)
  assert.deepEqual(prunedNames, ['a 1'])
  for (const { pruning } of both) await pruning.stop(0)
})
