import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionView } from '../shapes/wire.ts'
import { groupApprovals } from './decide-approval.ts'

const approval = (id: string, dialog: string, turn: number | null, askedAt: number, state = 'open'): QuestionView =>
  ({ id, dialog, askedAt, state, approval: { turn, shown: { text: 'x' } } }) as unknown as QuestionView

test('groupApprovals: one group for each turn, oldest first, calls in the order they were asked', () => {
  const questions = [
    approval('q6', 'b', 1, 30),
    approval('q4', 'a', 2, 20),
    approval('q5', 'a', 2, 20),
    approval('q2', 'a', 1, 10),
    approval('q1', 'a', 1, 10),
    approval('q3', 'a', 1, 10, 'answered'),
    approval('q8', 'a', null, 40),
    approval('q7', 'a', null, 40),
  ]
  assert.deepEqual(
    groupApprovals(questions).map((group) => group.map(({ id }) => id)),
    [['q1', 'q2'], ['q4', 'q5'], ['q6'], ['q7'], ['q8']],
  )
})
