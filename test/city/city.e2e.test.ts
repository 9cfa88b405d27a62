import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repetitions } from '../fixtures/campaign.ts'
import { runCity } from './city.ts'

test('city: members over WebSockets, a third of them hostile, the host killed again and again: nothing lost, nothing twice', async (t) => {
  const seconds = repetitions(8, 120)
  const figures = await runCity({ accounts: 40, talks: 12, seconds, killEveryMs: 2_500, hostileShare: 0.3, seed: 3 })
  t.diagnostic(JSON.stringify(figures))
  const { lost, doubled, unfinished, hostileTaken } = figures
  assert.deepEqual({ lost, doubled, unfinished, hostileTaken }, { lost: 0, doubled: 0, unfinished: 0, hostileTaken: 0 })
  assert.ok(figures.turns > 20 && figures.kills > 0 && figures.hostileActs > 0, 'too little happened to say anything')
})
