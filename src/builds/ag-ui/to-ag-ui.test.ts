import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as agent from '../rules/test/agent-script.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { toViews } from './test/any-build.ts'
import { toAgUi } from './to-ag-ui.ts'

const prompt = { id: 'm1', role: 'user' as const, content: 'Build me a reading list' }
const run = { thread: 't', run: 'r', build: 'b1', after: 0, messages: [prompt] }

/** As short as it can be told: type, and what it is about. */
function told(event: AgUiEvent): string {
  if (event.type === 'STEP_STARTED' || event.type === 'STEP_FINISHED') return `${event.type} ${event.stepName}`
  if (event.type === 'STATE_DELTA') return `${event.type} ${event.delta.map(({ op, path }) => `${op} ${path}`).join(', ')}`
  if (event.type === 'TEXT_MESSAGE_CONTENT') return `${event.type} ${event.delta}`
  return event.type === 'RUN_FINISHED' ? `${event.type} ${event.outcome?.type}` : event.type
}

test('a question in the middle of a step closes the step for AG-UI, and the next run opens it again', () => {
  const story = agent.building().sends(agent.running, agent.starts('build_record'), agent.say('One thing first.'), agent.asks())
  assert.deepEqual(toAgUi(toViews(story.log), run).map(told), [
    'RUN_STARTED',
    'STATE_SNAPSHOT',
    'STATE_DELTA replace /status',
    'STEP_STARTED build_record',
    'STATE_DELTA add /steps/-',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT One thing first.',
    'TEXT_MESSAGE_END',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT Which region?',
    'TEXT_MESSAGE_END',
    'STATE_DELTA replace /status, replace /question',
    'STEP_FINISHED build_record',
    'STATE_SNAPSHOT',
    'MESSAGES_SNAPSHOT',
    'RUN_FINISHED interrupt',
  ])
  assert.equal(story.state.progress.open, 'build_record', 'the step of the build is still open')

  story.endsTurn().does({ type: 'answer-one', question: 'q-region', answer: 'Europe', by: 'owner' })
  const answeredAt = story.log.length
  story.does({ type: 'start-turn' }).sends(agent.ends('build_record'))
  const said = { id: 'b1:6', role: 'assistant' as const, content: 'One thing first.' }
  const next = toAgUi(toViews(story.log), { ...run, after: answeredAt, messages: [prompt, said] })
  assert.deepEqual(next.map(told), [
    'RUN_STARTED',
    'STATE_SNAPSHOT',
    'MESSAGES_SNAPSHOT',
    'STEP_STARTED build_record',
    'STATE_DELTA replace /steps/0/state',
    'STEP_FINISHED build_record',
  ])
})

test('a client that has half of a message is given the other half', () => {
  const story = agent.building().sends(agent.running, agent.say('One thing first.'))
  const half = { id: 'b1:5', role: 'assistant' as const, content: 'One thing' }
  const words = toAgUi(toViews(story.log), { ...run, messages: [prompt, half] }).map(told)
  assert.ok(words.includes('TEXT_MESSAGE_CONTENT  first.'), words.join('\n'))
})

test('a question that was answered meanwhile ends no run', () => {
  const story = agent.building().sends(agent.running, agent.asks()).endsTurn()
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' })
  assert.deepEqual(toAgUi(toViews(story.log), run).map(told).slice(-5), [
    'STATE_DELTA replace /status, replace /question',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT Europe',
    'TEXT_MESSAGE_END',
    'STATE_DELTA replace /status, replace /question',
  ])
})
