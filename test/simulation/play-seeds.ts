import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addInjections, missingInjections, noInjections } from './injections.ts'
import { simulate } from './simulate.ts'

/** 250 of the 500 seeds of `npm test`. Two files have one half each, so that both cores of a machine work on them. */
export function testSeeds(first: number): void {
  const last = first + 249
  const name = `seeds ${first} to ${last}: random teams, people and crashes, and every rule holds in every run`
  test(name, { timeout: 900_000 }, async (t) => {
    const totals = { events: 0, tellasks: 0, crashes: 0 }
    const injected = noInjections()
    for (let seed = first; seed <= last; seed += 1) {
      const run = await simulate(seed)
      assert.deepEqual(run.violations, [], `seed ${seed}`)
      totals.events += run.events
      totals.tellasks += run.tellasks
      totals.crashes += run.crashes
      addInjections(injected, run.injected)
    }
    assert.ok(totals.tellasks > 250 && totals.crashes > 250, 'too little happened to say anything')
    assert.deepEqual(missingInjections(injected), [], 'never injected')
    t.diagnostic(JSON.stringify({ ...totals, injected }))
  })
}
