import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../ports/clock.ts'
import { rateLimiter } from './rate-limit.ts'

let now = 0
const clock: Clock = { now: () => now, after: () => () => {} }

test('rateLimiter: a caller may use its burst, and more as time passes', () => {
  now = 0
  const take = rateLimiter({ perSecond: 2, burst: 3 }, clock)
  for (let count = 0; count < 3; count += 1) take('mia')
  assert.throws(() => take('mia'), { code: 'too_many_requests', retryAfterMs: 500 })
  take('noor')
  now = 499
  assert.throws(() => take('mia'), { code: 'too_many_requests' })
  now = 500
  take('mia')
})

test('rateLimiter: remembers 10,000 callers and forgets the least recent one first', () => {
  now = 0
  const take = rateLimiter({ perSecond: 1, burst: 1 }, clock)
  take('first')
  for (let count = 0; count < 9_999; count += 1) take(`caller ${count}`)
  assert.throws(() => take('first'), { code: 'too_many_requests' }, 'still remembered, and now the most recent')
  take('one more')
  assert.throws(() => take('caller 1'), { code: 'too_many_requests' })
  take('caller 0')
})
