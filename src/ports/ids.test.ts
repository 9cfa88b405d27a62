import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from './ids.ts'

test('names are different, of one shape, and in the order they were made to the millisecond', async () => {
  const made = Array.from({ length: 20_000 }, () => randomIds.next('q'))
  assert.equal(new Set(made).size, made.length)
  for (const id of made) assert.match(id, /^q_[0-9a-hjkmnp-tv-z]{24}$/)
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok(randomIds.next('q') > (made[0] ?? ''))
})
