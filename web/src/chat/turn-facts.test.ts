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

test('turnFacts: each model call has its time, tokens and cost, and one that runs counts until now', () => {
  const usage = { inputTokens: 1_000, outputTokens: 20, cachedTokens: 800 }
  const { modelCalls } = turnFacts(
    log(
      said,
      [10, 'generation.started'],
      [18, 'generation.finished', { model: 'm', usage, spent: { tokens: 1_020, money: 0.5 } }],
      [20, 'generation.started'],
      [21, 'generation.failed', { code: 'x' }],
      [30, 'generation.started'],
    ),
    45,
  )
  const unknown = { input: null, output: null, cached: null, money: 0 }
  assert.deepEqual(modelCalls, [
    { model: 'm', ms: 8, state: 'done', input: 1_000, output: 20, cached: 800, money: 0.5 },
    { model: null, ms: 1, state: 'failed', ...unknown },
    { model: null, ms: 15, state: 'running', ...unknown },
  ])
})
