import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswers } from './answers.ts'
import type { OpenQuestion } from './rules.ts'

const open = {
  kind: 'one',
  ask: { question_id: 'q1', prompt: 'Where?', input: 'text', required: true },
} as unknown as OpenQuestion

test('an answer to a question that was not asked is refused by its id, of which 100 characters are named', () => {
  const outcome = checkAnswers(open, { [`b${'x'.repeat(150)}`]: 'here' })
  assert.ok('refused' in outcome)
  assert.deepEqual([outcome.refused.code, outcome.refused.details], ['answer_unknown', { item: `b${'x'.repeat(99)}` }])
  assert.deepEqual(checkAnswers(open, { q1: ' here ' }), { answers: { q1: 'here' } })
})
