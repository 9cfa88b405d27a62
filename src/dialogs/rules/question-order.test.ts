import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestFirst, onePerBudget } from './question-order.ts'

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

test('onePerBudget: one question for each budget, one notice, and no notice beside the question', () => {
  const day = { key: 'day 2026-11-18' }
  const all = [
    { id: 'approval' },
    { id: 'spent', limit: day },
    { id: 'spent elsewhere', limit: day },
    { id: 'notice', limit: { ...day, isNotice: true as const } },
    { id: 'notice of another', limit: { key: 'owner', isNotice: true as const } },
    { id: 'the same notice', limit: { key: 'owner', isNotice: true as const } },
  ]
  assert.deepEqual(
    onePerBudget(all).map(({ id }) => id),
    ['approval', 'spent', 'notice of another'],
  )
})
