import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../../src/shapes/wire.ts'
import { answeredCount, findFaults } from './check-answers.ts'

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

test('findFaults: names what each item without an answer needs', () => {
  assert.deepEqual(findFaults(question, {}, 'en'), { pace: 'Choose one of the answers.', topic: 'Write an answer.' })
  assert.deepEqual(findFaults(question, { pace: 'slow', topic: '  ' }, 'en'), { topic: 'Write an answer.' })
  assert.deepEqual(findFaults(question, { pace: 'slow', topic: 'cities' }, 'en'), {})
})

test('findFaults: refuses an answer longer than the server accepts', () => {
  assert.deepEqual(Object.keys(findFaults(question, { pace: 'slow', topic: 'x'.repeat(20_001) }, 'en')), ['topic'])
})

test('answeredCount: ignores blank answers', () => {
  assert.equal(answeredCount(question, { pace: 'slow', topic: ' ' }), 1)
})
