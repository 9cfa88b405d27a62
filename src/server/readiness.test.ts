import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../errors.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { readiness, readinessLimits } from './readiness.ts'

test('readiness: checks at most once a second, however many ask, also after the clock was set back', async () => {
  const clock = simulatedClock()
  let checks = 0
  const isReady = readiness(async () => void (checks += 1), clock)
  await Promise.all(Array.from({ length: 100 }, isReady))
  assert.equal(checks, 1)
  await clock.advance(readinessLimits.checkEveryMs)
  await isReady()
  assert.equal(checks, 2)
  clock.stepBack(60 * 60_000)
  await isReady()
  assert.equal(checks, 3)
})

test('readiness: every failure has status 503, and the next check may succeed', async () => {
  const clock = simulatedClock()
  const failures = [
    new ParleyError('store_gone', { file: 'parley.db', what: 'removed' }),
    new ParleyError('store_damaged', {}),
    new Error('EIO'),
  ]
  const isReady = readiness(async () => {
    const failure = failures.shift()
    if (failure) throw failure
  }, clock)
  for (const code of ['store_gone', 'store_unwritable', 'store_unwritable']) {
    await assert.rejects(isReady(), { code, status: 503 })
    await assert.rejects(isReady(), { code })
    await clock.advance(readinessLimits.checkEveryMs)
  }
  await isReady()
})
