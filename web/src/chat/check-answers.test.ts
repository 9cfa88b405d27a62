import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../../src/client/wire.ts'
import { en } from '../words/en.ts'
import { answeredCount, faultsOf } from './check-answers.ts'

const question: Question = {
  text: 'Two details',
  items: [
    {
      id: 'pace',
      text: 'Pace?',
      kind: 'choice',
      options: [
        { value: 'slow', label: 'Slow' },
        { value: 'fast', label: 'Fast' },
      ],
    },
    { id: 'topic', text: 'Topic?', kind: 'text' },
  ],
}

test('every part without an answer says what it needs', () => {
  assert.deepEqual(faultsOf(question, {}, en), { pace: en.question.chooseOne, topic: en.question.writeSomething })
  assert.deepEqual(faultsOf(question, { pace: 'slow', topic: '  ' }, en), { topic: en.question.writeSomething })
  assert.deepEqual(faultsOf(question, { pace: 'slow', topic: 'cities' }, en), {})
})

test('an answer longer than the server takes is refused here', () => {
  assert.deepEqual(Object.keys(faultsOf(question, { pace: 'slow', topic: 'x'.repeat(20_001) }, en)), ['topic'])
})

test('blank answers do not count as answered', () => {
  assert.equal(answeredCount(question, { pace: 'slow', topic: ' ' }), 1)
})
