import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { storeContract, type StoreSubject } from '../../testing/store-contract.ts'
import { memoryBacking } from './memory-backing.ts'
import { memoryStore } from './memory-store.ts'

function memorySubject(): StoreSubject {
  const clock = simulatedClock()
  const backing = memoryBacking()
  return {
    open: async () => memoryStore({ clock, backing }),
    // There is no process to end: what the operating system would let go of, closing lets go of.
    kill: (store) => store.close(),
    now: clock.now,
    advance: clock.advance,
    stepBack: clock.stepBack,
  }
}

for (const { id, behaviour, run } of storeContract) test(`${id}: ${behaviour}`, () => run(memorySubject()))

test('every case of the contract has a name of its own', () => {
  assert.ok(storeContract.length >= 40)
  assert.equal(new Set(storeContract.map(({ id }) => id)).size, storeContract.length)
})

test('deltas stay within one store, as they stay within one process', () => {
  const backing = memoryBacking()
  const [one, two] = [memoryStore({ backing }), memoryStore({ backing })]
  let noticeCount = 0
  two.hints.onDelta(() => noticeCount++)
  one.hints.publish({ stream: 's', draft: 'd', from: 0, text: 'x' })
  assert.equal(noticeCount, 0)
})
