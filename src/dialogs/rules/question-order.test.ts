import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestFirst } from './question-order.ts'

test('newestFirst: the newest turn comes first, and approvals of one turn stay in the order of their calls', () => {
  const asked = [
    { id: 'q_03', askedAt: 20 },
    { id: 'q_01', askedAt: 10 },
    { id: 'q_05', askedAt: 20 },
    { id: 'q_02', askedAt: 10 },
    { id: 'q_04', askedAt: 20 },
  ]
  const sorted = ['q_03', 'q_04', 'q_05', 'q_01', 'q_02']
  assert.deepEqual(
    asked.toSorted(newestFirst).map(({ id }) => id),
    sorted,
  )
  assert.deepEqual(
    asked
      .toReversed()
      .toSorted(newestFirst)
      .map(({ id }) => id),
    sorted,
  )
})
