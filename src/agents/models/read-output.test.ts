import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type OutputFacts, type OutputVerdict, type RawOutput, readEnd, readOutput } from './read-output.ts'
import { readTextCalls } from './text-calls.ts'

const facts: OutputFacts = {
  tools: ['read_file', 'grep'],
  callIds: 'common',
  taken: [],
  seed: '1_1',
  textCalls: false,
  wasRetried: false,
  wasNudged: false,
  wasDoubled: false,
  outputTokens: 4_096,
  maxOutputTokens: 16_384,
}
const raw: RawOutput = { words: '', refusal: '', calls: [], endReason: 'stop' }
const call = { id: 'c1', name: 'read_file', input: '{"path":"x"}' }
const readCall = { id: 'c1', name: 'read_file', input: { path: 'x' }, fault: null, source: 0 }
const whole = (words: string, more: object = {}): OutputVerdict => ({ kind: 'whole', words, calls: [], isCut: false, ...more })

const cases: readonly [string, Partial<RawOutput>, Partial<OutputFacts>, OutputVerdict][] = [
  ['words', { words: 'Hello.' }, {}, whole('Hello.')],
  ['words and a call', { words: 'I look.', calls: [call], endReason: 'tool_calls' }, {}, whole('I look.', { calls: [readCall] })],
  ['a call without words', { calls: [call], endReason: 'tool_use' }, {}, whole('', { calls: [readCall] })],
  ['a call that ends with stop', { calls: [call] }, {}, whole('', { calls: [readCall] })],
  ['empty', {}, {}, { kind: 'retry', why: 'empty' }],
  ['white space only', { words: ' \n' }, {}, { kind: 'retry', why: 'empty' }],
  ['empty again', {}, { wasRetried: true }, { kind: 'nudge' }],
  ['empty after the nudge', {}, { wasRetried: true, wasNudged: true }, { kind: 'failed', why: 'empty', words: '' }],
  ['length without words', { endReason: 'length' }, {}, { kind: 'retry-larger', outputTokens: 8_192 }],
  [
    'length without words near the maximum',
    { endReason: 'length' },
    { outputTokens: 10_000 },
    { kind: 'retry-larger', outputTokens: 16_384 },
  ],
  [
    'length without words, no maximum known',
    { endReason: 'length' },
    { outputTokens: 10_000, maxOutputTokens: null },
    { kind: 'retry-larger', outputTokens: 20_000 },
  ],
  [
    'length without words at the maximum',
    { endReason: 'length' },
    { outputTokens: 16_384 },
    { kind: 'failed', why: 'output-bound', words: '' },
  ],
  ['length without words again', { endReason: 'length' }, { wasDoubled: true }, { kind: 'failed', why: 'output-bound', words: '' }],
  ['length in a call', { calls: [call], endReason: 'max_tokens' }, {}, { kind: 'retry-larger', outputTokens: 8_192 }],
  ['length with words', { words: 'x…', calls: [call], endReason: 'length' }, {}, whole('x…', { isCut: true })],
  ['refusal field', { refusal: "I can't help with that." }, {}, whole("I can't help with that.")],
  ['refusal as end reason', { endReason: 'refusal' }, {}, { kind: 'failed', why: 'declined', words: '' }],
  ['content filter', { words: 'So far', endReason: 'content_filter' }, {}, { kind: 'failed', why: 'declined', words: 'So far' }],
  ['Gemini safety', { endReason: 'SAFETY' }, {}, { kind: 'failed', why: 'declined', words: '' }],
  ['stream cut', { words: 'Half a sen', calls: [call], endReason: null }, {}, { kind: 'retry', why: 'stream-cut' }],
  ['provider gave up', { words: 'Half', endReason: 'error' }, {}, { kind: 'retry', why: 'stream-cut' }],
  ['window full', { words: 'Half', endReason: 'model_context_window_exceeded' }, {}, { kind: 'overflow' }],
]

describe('readOutput', () => {
  for (const [what, output, more, expected] of cases)
    test(what, () => assert.deepEqual(readOutput({ ...raw, ...output }, { ...facts, ...more }), expected))

  const fenced = '```json\n{"name": "read_file", "arguments": {"path": "x"}}\n```'

  test('a written call is a call with textCalls, and words without', () => {
    const verdict = readOutput({ ...raw, words: fenced }, { ...facts, textCalls: true })
    assert.deepEqual(verdict, whole('', { calls: [{ ...readCall, id: 'call_1_1_1' }] }))
    assert.deepEqual(readOutput({ ...raw, words: fenced }, facts), whole(fenced))
  })

  test('a written call beside a real one is words', () => {
    const verdict = readOutput({ ...raw, words: fenced, calls: [call] }, { ...facts, textCalls: true })
    assert.deepEqual(verdict, whole(fenced, { calls: [readCall] }))
  })

  test('any output has a verdict, and repeating retries ends', () => {
    const output = fc.record({
      words: fc.oneof(fc.constant(''), fc.string(), fc.constant(fenced)),
      refusal: fc.oneof(fc.constant(''), fc.string()),
      calls: fc.array(fc.record({ id: fc.string(), name: fc.string(), input: fc.oneof(fc.string(), fc.jsonValue()) }), { maxLength: 3 }),
      endReason: fc.oneof(fc.constantFrom('stop', 'length', 'refusal'), fc.string()),
    })
    fc.assert(
      fc.property(output, fc.boolean(), (each, textCalls) => {
        let state = { ...facts, textCalls }
        for (let step = 0; step < 5; step += 1) {
          const verdict = readOutput(each, state)
          if (verdict.kind === 'retry' && verdict.why === 'empty') state = { ...state, wasRetried: true }
          else if (verdict.kind === 'retry-larger') state = { ...state, wasDoubled: true, outputTokens: verdict.outputTokens }
          else if (verdict.kind === 'nudge') state = { ...state, wasNudged: true }
          else return
        }
        assert.fail('the same output is retried for ever')
      }),
    )
  })
})

test('readEnd: reasons of every wire', () => {
  for (const reason of ['stop', 'tool_calls', 'end_turn', 'tool_use', 'stop_sequence', 'completed', 'STOP', 'eos', '', 'toString'])
    assert.equal(readEnd(reason), 'normal', reason)
  for (const reason of ['length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS']) assert.equal(readEnd(reason), 'length', reason)
})

describe('readTextCalls', () => {
  const one = '{"name": "read_file", "arguments": {"path": "x"}}'
  const read = (text: string): string[] | null => readTextCalls(text, facts.tools)?.map(({ name }) => name) ?? null

  for (const [what, text, expected] of [
    ['fenced', `\`\`\`json\n${one}\n\`\`\``, ['read_file']],
    ['tagged', `<tool_call>\n${one}\n</tool_call>`, ['read_file']],
    ['tagged without an end', `<tool_call>${one}`, ['read_file']],
    ['tagged inside a fence', `\`\`\`\n<tool_call>${one}</tool_call>\n\`\`\``, ['read_file']],
    ['several', `<tool_call>${one}</tool_call>\n<tool_call>${one}</tool_call>`, ['read_file', 'read_file']],
    ['arguments as text', '<tool_call>{"name":"grep","arguments":"{}"}</tool_call>', ['grep']],
    ['bare', one, null],
    ['with words before', `I call:\n<tool_call>${one}</tool_call>`, null],
    ['with words after', `<tool_call>${one}</tool_call> Done.`, null],
    ['of a tool that is not offered', '<tool_call>{"name":"rm","arguments":{}}</tool_call>', null],
    ['with other fields', '```\n{"name":"grep","arguments":{},"note":"an example"}\n```', null],
    ['without arguments', '```\n{"name":"grep"}\n```', null],
    ['other JSON', '```json\n{"path": "x"}\n```', null],
    ['cut', '<tool_call>{"name":"grep","arg', null],
    ['nothing', '', null],
    ['an empty tag', '<tool_call></tool_call>', null],
  ] as const)
    test(what, () => assert.deepEqual(read(text), expected))

  test('any text is read', () => {
    const part = fc.constantFrom('<tool_call>', '</tool_call>', '```', '```json\n', one, '{', '}', ' ', '\n', 'x')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const calls = readTextCalls(parts.join(''), facts.tools)
        assert.ok(calls === null || calls.length > 0)
      }),
      { numRuns: 2_000 },
    )
  })
})
