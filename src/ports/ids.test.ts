import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { randomIds } from './ids.ts'

test('names are different, of one shape, and in the order they were made to the millisecond', async () => {
  const manyIds = Array.from({ length: 20_000 }, () => randomIds.next('q'))
  assert.equal(new Set(manyIds).size, manyIds.length)
  for (const id of manyIds) assert.match(id, /^q_[0-9a-hjkmnp-tv-z]{24}$/)
  const now = Date.now()
  while (Date.now() === now) await loopTurn()
  assert.ok(randomIds.next('q') > (manyIds[0] ?? ''))
})

test('UUIDs are of version 7, different, and sort by the time they are given', () => {
  const manyIds = Array.from({ length: 2_000 }, () => randomIds.uuid(1_750_000_000_000))
  assert.equal(new Set(manyIds).size, manyIds.length)
  for (const id of manyIds) assert.match(id, /^0197[0-9a-f]{4}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const later = randomIds.uuid(1_750_000_000_001)
  for (const id of manyIds) assert.ok(id < later)
  assert.equal(Number.parseInt(later.slice(0, 13).replace('-', ''), 16), 1_750_000_000_001)
})
