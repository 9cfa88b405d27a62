import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Arrival, PromptItem, ResultText } from './prompt-items.ts'
import { trailLimits, trailText } from './trail.ts'

const call = (index: number, result: ResultText): PromptItem => ({
  kind: 'result',
  call: `c${index}`,
  tool: 'run',
  handle: `run#${index}`,
  result,
})
const say = (...texts: string[]): PromptItem => ({ kind: 'output', parts: texts.map((text) => ({ type: 'words', text })) })
const ok: ResultText = { is: 'outcome', ok: true, text: '' }

test('a trail has the last calls and the last words, each up to its limit', () => {
  const calls = Array.from({ length: trailLimits.calls + 2 }, (_, index) => call(index, ok))
  const outputs = Array.from({ length: trailLimits.outputs + 2 }, (_, index) => say(`step ${index}`))
  const lines = trailText([...calls, ...outputs]).split('\n')
  assert.equal(lines.length, trailLimits.calls + trailLimits.outputs)
  assert.deepEqual([lines[0], lines[trailLimits.calls]], ['- run (run#2): ok', '> step 2'])
})

test('a trail says how each call ended, and quotes words of several lines', () => {
  const results: ResultText[] = [
    { is: 'outcome', ok: false, text: '' },
    { is: 'shortened', tool: 'run', chars: 9, ok: true, handle: 'run#1' },
    { is: 'waiting', handle: 'h', waiting: { for: 'question' } },
    { is: 'stopped', by: 'owner', hasStarted: true },
    { is: 'interrupted' },
  ]
  const reasoning: PromptItem = { kind: 'output', parts: [{ type: 'reasoning', maker: 'm', data: {} }] }
  const text = trailText([...results.map((result, index) => call(index, result)), reasoning, say(' one\ntwo', 'three ')])
  const ends = ['failed', 'ok', 'waiting', 'stopped', 'unknown'].map((end, index) => `- run (run#${index}): ${end}`)
  assert.equal(text, [...ends, '> one', '> two', '> three'].join('\n'))
})

test('a trail names the end of a call that waited, once it has come', () => {
  const waiting = (index: number): PromptItem => call(index, { is: 'waiting', handle: `run#${index}`, waiting: { for: 'question' } })
  const time = { at: 1, offset: 0, passedMs: 1, text: '' }
  const arrivals: Arrival[] = [
    { ...time, kind: 'reply', to: 'run#0', from: 'bob', session: null, status: 'partial', request: null },
    { ...time, kind: 'reply', to: 'run#1', from: 'bob', session: null, status: 'failed', request: null },
    { ...time, kind: 'answer', to: 'run#2', by: 'Mia', outcome: 'answered' },
    { ...time, kind: 'answer', to: 'run#3', by: 'Mia', outcome: 'expired' },
    { ...time, kind: 'outcome', of: 'run#4', tool: 'run', ok: true },
    { ...time, kind: 'outcome', of: 'run#5', tool: 'run', ok: false },
    { ...time, kind: 'outcome', of: 'run#6', tool: 'run', ok: false, stopped: { by: 'Mia', hasStarted: false } },
  ]
  const items = [
    ...Array.from({ length: 8 }, (_, index) => waiting(index)),
    ...arrivals.map((arrival): PromptItem => ({ kind: 'arrival', arrival })),
  ]
  const ends = ['ok', 'failed', 'ok', 'expired', 'ok', 'failed', 'stopped', 'waiting']
  assert.equal(trailText(items), ends.map((end, index) => `- run (run#${index}): ${end}`).join('\n'))
})

test('a trail tells calls of one tool apart by the beginning of their arguments', () => {
  const made = (index: number, input: object): PromptItem => ({
    kind: 'output',
    parts: [{ type: 'call', call: `c${index}`, name: 'run', input }],
  })
  const long = { text: 'x'.repeat(trailLimits.inputChars) }
  const text = trailText([made(0, { path: 'a\nb' }), call(0, ok), made(1, long), call(1, ok), made(2, {}), call(2, ok)])
  const cut = JSON.stringify(long).slice(0, trailLimits.inputChars)
  assert.deepEqual(text.split('\n'), [`- run (run#0) {"path":"a\\nb"}: ok`, `- run (run#1) ${cut}…: ok`, '- run (run#2): ok'])
})

test('a trail is bounded, and cut between characters', () => {
  assert.equal(trailText([say('x'.repeat(trailLimits.outputChars + 1))]).length, trailLimits.outputChars + 2)
  const long = Array.from({ length: trailLimits.calls }, (_, index) => ({ ...call(index, ok), tool: '😀'.repeat(200) }) as PromptItem)
  const text = trailText(long)
  assert.equal(text.length, trailLimits.chars)
  assert.ok(text.isWellFormed())
})
