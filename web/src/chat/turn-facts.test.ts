import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventView } from '../../../src/shapes/wire.ts'
import { turnFacts } from './turn-facts.ts'

const log = (...events: [at: number, type: string, data?: object][]): EventView[] =>
  events.map(([at, type, data = {}], index) => ({ stream: 'd', seq: index + 1, position: index + 1, at, type, data }))

const said: [number, string, object] = [0, 'message.said', { by: { kind: 'human', name: 'You' } }]

test('turnFacts: model, tools and waiting follow each other, and a wait counts before the tool that waits with it', () => {
  const facts = turnFacts(
    log(
      said,
      [10, 'generation.started'],
      [18, 'generation.finished'],
      [18, 'tool.called', { call: 'c1' }],
      [20, 'question.asked', { question: 'q1' }],
      [50, 'question.answered', { question: 'q1' }],
      [54, 'tool.returned', { call: 'c1' }],
      [60, 'generation.started'],
      [63, 'generation.finished'],
      [63, 'turn.finished'],
    ),
    1_000,
  )
  assert.deepEqual(facts.parts, [
    { lane: 'model', ms: 8 },
    { lane: 'tools', ms: 2 },
    { lane: 'waiting', ms: 30 },
    { lane: 'tools', ms: 4 },
    { lane: 'model', ms: 3 },
  ])
  assert.deepEqual([facts.sums, facts.calls], [{ model: 11, tools: 6, waiting: 30 }, 1])
})

test('turnFacts: only what came after the last message counts, and what goes on lasts until now', () => {
  const before = log(said, [1, 'generation.started'], [900, 'generation.finished'], [950, 'turn.finished'])
  const facts = turnFacts([...before, ...log([1_000, 'message.said', { by: { kind: 'human' } }], [1_010, 'generation.started'])], 1_030)
  assert.deepEqual(facts.parts, [{ lane: 'model', ms: 20 }])
})

test('turnFacts: a turn that was cut leaves nothing running', () => {
  const facts = turnFacts(log(said, [5, 'tool.called', { call: 'c1' }], [9, 'turn.cut']), 100)
  assert.deepEqual(facts.sums, { model: 0, tools: 4, waiting: 0 })
})
