import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLimits } from './build-limits.ts'
import { readBuildEvent } from './read-build-event.ts'

const source = 'agent'
const read = (type: string, payload: object): string => {
  const item = readBuildEvent({ type, payload: { source, ...payload } }) as { fault?: { rule: string }; event?: { type: string } }
  return item.fault?.rule ?? item.event?.type ?? JSON.stringify(item)
}
const options = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `o${index}`, label: `Option ${index}` }))
const choice = (count: number): string =>
  read('question.requested', { question_id: 'q', prompt: 'Which?', input: 'single_choice', required: true, options: options(count) })

test('session.started: a round is a whole number from 1', () => {
  const started = (round: unknown): string =>
    read('session.started', { source: 'backend', build_id: 'b', session_id: 's', ...(round === undefined ? {} : { round }) })
  assert.equal(started(undefined), 'session.started')
  assert.equal(started(1), 'session.started')
  for (const round of [0, -1, 1.5, '2', null]) assert.equal(started(round), 'T1', String(round))
})

test('question.requested: a choice has from two options to the limit', () => {
  assert.equal(choice(1), 'T9')
  assert.equal(choice(2), 'question.requested')
  assert.equal(choice(buildLimits.options), 'question.requested')
  assert.equal(choice(buildLimits.options + 1), 'T9')
})

test('question.requested: a text question has no options', () => {
  const text = (more: object): string =>
    read('question.requested', { question_id: 'q', prompt: 'Name?', input: 'text', required: true, ...more })
  assert.equal(text({}), 'question.requested')
  assert.equal(text({ options: [] }), 'question.requested')
  assert.equal(text({ options: options(2) }), 'T9')
  assert.equal(text({ input: 'date' }), 'T9')
})

test('questions.requested: a set has from two questions to the limit', () => {
  const set = (count: number): string => {
    const questions = Array.from({ length: count }, (_, index) => ({
      question_id: `q${index}`,
      prompt: 'Name?',
      input: 'text',
      required: true,
    }))
    return read('questions.requested', { question_set_id: 's', prompt: 'A few', required_all: true, questions })
  }
  assert.deepEqual([set(1), set(2)], ['T9', 'questions.requested'])
  assert.deepEqual([set(buildLimits.questionsInSet), set(buildLimits.questionsInSet + 1)], ['questions.requested', 'T9'])
})
