import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Unit } from '../ports/store.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { countingStore } from './counting-store.ts'
import { crashingStore, SimulatedCrash } from './crashing-store.ts'

const say = (expect: number): Unit => ({ append: [{ stream: 's', expect, events: [{ type: 'said', at: 1, data: {} }] }] })

test('before the n-th commit: the commit is lost, everything after is refused', async () => {
  const backing = memoryBacking()
  const store = crashingStore(memoryStore({ backing }), { when: 'before', commit: 2 })
  await store.commit([say(0)])
  await assert.rejects(store.commit([say(1)]), SimulatedCrash)
  assert.equal(store.crashed, true)
  await assert.rejects(store.commit([say(1)]), SimulatedCrash)
  await assert.rejects(store.head('s'), SimulatedCrash)
  await assert.rejects(store.claim('turn', 1, 1000), SimulatedCrash)
  await store.close()
  assert.equal(await memoryStore({ backing }).head('s'), 1)
})

test('after the n-th commit: the commit is kept, but neither the caller nor a listener learns of it', async () => {
  const backing = memoryBacking()
  const store = crashingStore(memoryStore({ backing }), { when: 'after', commit: 1 })
  let hints = 0
  store.hints.onStream(() => hints++)
  await assert.rejects(store.commit([say(0)]), SimulatedCrash)
  assert.equal(hints, 0)
  assert.equal(await memoryStore({ backing }).head('s'), 1)
})

test('work held at the crash is free for the next process at once', async () => {
  const backing = memoryBacking()
  const store = crashingStore(memoryStore({ backing }), { when: 'before', commit: 2 })
  await store.commit([{ wake: [{ kind: 'turn', key: 'a', at: 0 }] }])
  const [lease] = await store.claim('turn', 1, 60_000)
  assert.ok(lease)
  await assert.rejects(store.commit([{ lease, settle: 'done' }]), SimulatedCrash)
  const [again] = await memoryStore({ backing }).claim('turn', 1, 60_000)
  assert.equal(again?.attempts, 2)
})

test('a counting store counts and otherwise changes nothing', async () => {
  const store = countingStore(memoryStore({ owner: 'me' }))
  await store.commit([say(0), say(1)])
  await store.commit([])
  await store.claim('turn', 1, 1000)
  await store.read('s', 0, 10)
  assert.deepEqual(store.counts, { commits: 2, units: 2, claims: 1, reads: 1 })
  assert.equal(store.owner, 'me')
  assert.equal(await store.head('s'), 2)
})
