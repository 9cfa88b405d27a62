import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../ports/store.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { brokenStores } from './broken-stores.ts'
import { simulatedClock } from './simulated-clock.ts'
import { storeContract, type StoreSubject } from './store-contract.ts'

function subject(spoil: (inside: Store) => Store): StoreSubject {
  const clock = simulatedClock()
  const backing = memoryBacking()
  return {
    open: async () => spoil(memoryStore({ clock, backing })),
    kill: (store) => store.close(),
    now: clock.now,
    advance: clock.advance,
    stepBack: clock.stepBack,
  }
}

for (const { fault, noticedBy, spoil } of brokenStores) {
  test(`${noticedBy} notices a store that ${fault}`, async () => {
    const match = storeContract.find(({ id }) => id === noticedBy)
    assert.ok(match, `the contract has no case ${noticedBy}`)
    await match.run(subject((inside) => inside))
    await assert.rejects(match.run(subject(spoil)), { name: 'AssertionError' })
  })
}
