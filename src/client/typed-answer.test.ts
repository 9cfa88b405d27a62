import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTypedAnswer } from './typed-answer.ts'

const free = { id: 'q1', ask: { text: 'Which city?', items: [{ id: 'answer', text: 'City', kind: 'text' as const }] } }
const count = { id: 'q2', ask: { text: 'How many?', items: [{ id: 'n', text: 'Number', kind: 'number' as const }] } }
const today = '2026-11-18'

test('findTypedAnswer: words that fit the only open question are offered as its answer', () => {
  assert.deepEqual(findTypedAnswer([free], 'Rome', today), { question: free, answers: { answer: 'Rome' } })
  assert.deepEqual(findTypedAnswer([count, { ...free, isApproval: true }], ' 12 ', today)?.answers, { n: '12' })
})

test('findTypedAnswer: nothing is offered when words do not fit, or could answer several questions or parts', () => {
  assert.equal(findTypedAnswer([count], 'How is it going?', today), null)
  assert.equal(findTypedAnswer([free, count], '12', today), null)
  assert.equal(findTypedAnswer([{ ask: { text: '', items: [...free.ask.items, ...count.ask.items] } }], '12', today), null)
  assert.equal(findTypedAnswer([], '12', today), null)
  assert.equal(findTypedAnswer([{ ...free, isApproval: true }], 'yes', today), null)
})
