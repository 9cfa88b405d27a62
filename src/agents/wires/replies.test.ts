import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noUsage } from '../models/usage.ts'
import { AnthropicReply } from './anthropic-reply.ts'
import { pieceBytes } from './event-stream.ts'
import { ResponsesReply } from './responses-reply.ts'
import type { ModelPart, ReplyReader } from './wire.ts'

const events = (...values: (object | string)[]): string =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('')
const read = (reply: ReplyReader, ...chunks: (string | Buffer)[]): ModelPart[] => {
  const parts: ModelPart[] = []
  for (const chunk of chunks) if (!reply.isDone) parts.push(...(reply.take(Buffer.from(chunk as string)) ?? []))
  return [...parts, ...reply.end()]
}

const block = (index: number, content: object, ...deltas: object[]): object[] => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const started = {
  type: 'message_start',
  message: { content: [], usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } },
}
const ended = (reason: string): object[] => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 30 } },
  { type: 'message_stop' },
]
const thinking = (text: string, signature: string): object[] =>
  block(
    0,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: text },
    { type: 'signature_delta', signature },
  )
const anthropicUsage = { ...noUsage, inputTokens: 100, cachedTokens: 90, outputTokens: 30 }

const anthropicStream = events(
  started,
  { type: 'ping' },
  ...thinking('hm', 'sig1'),
  ...block(1, { type: 'redacted_thinking', data: 'xx' }),
  ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look.' }),
  ...block(
    3,
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    { type: 'input_json_delta', partial_json: '{"q":' },
    { type: 'input_json_delta', partial_json: '"é"}' },
  ),
  ...ended('tool_use'),
)
const anthropicParts: ModelPart[] = [
  { type: 'reasoning', text: 'hm' },
  { type: 'kept', data: { type: 'thinking', thinking: 'hm', signature: 'sig1' } },
  { type: 'kept', data: { type: 'redacted_thinking', data: 'xx' } },
  { type: 'text', text: 'I look.' },
  { type: 'call', id: 'toolu_1', name: 'look', input: '{"q":"é"}' },
  { type: 'finish', end: 'tool_use', usage: anthropicUsage },
]

describe('a reply of Anthropic Messages', () => {
  it('gives blocks in order, with signatures in place', () => {
    assert.deepEqual(read(new AnthropicReply(), anthropicStream), anthropicParts)
  })

  it('keeps empty thinking with its signature', () => {
    const stream = events(
      started,
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 's' }),
      ...ended('end_turn'),
    )
    assert.deepEqual(read(new AnthropicReply(), stream)[0], { type: 'kept', data: { type: 'thinking', thinking: '', signature: 's' } })
  })

  it('reads a document', () => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'look', input: { q: 1 } },
    ]
    const document = { type: 'message', content, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } }
    assert.deepEqual(read(new AnthropicReply(), JSON.stringify(document)), [
      { type: 'text', text: 'Hi' },
      { type: 'call', id: 'a', name: 'look', input: { q: 1 } },
      { type: 'finish', end: 'tool_use', usage: { ...noUsage, inputTokens: 1, outputTokens: 2 } },
    ])
  })

  it('gives no end when it broke off, and passes on errors', () => {
    assert.deepEqual(read(new AnthropicReply(), events(started)).at(-1), {
      type: 'finish',
      end: null,
      usage: { ...anthropicUsage, outputTokens: 1 },
    })
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }
    assert.throws(() => read(new AnthropicReply(), events(started, error)), { name: 'ModelErrorResponse', type: 'overloaded_error' })
    assert.throws(() => read(new AnthropicReply(), events({ hello: 1 })), SyntaxError)
    assert.throws(() => read(new AnthropicReply(), ''), /it sent nothing/)
  })

  it('does not keep a block without bounds', () => {
    const reply = new AnthropicReply()
    reply.take(
      Buffer.from(events(started, { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'look' } })),
    )
    const long = events({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: 'x'.repeat(pieceBytes / 2) },
    })
    assert.throws(() => Array.from({ length: 10 }, () => reply.take(Buffer.from(long))), { code: 'model_garbled' })
  })
})

const item = (index: number, done: object, ...deltas: object[]): object[] => [
  { type: 'response.output_item.added', output_index: index, item: done },
  ...deltas.map((delta) => ({ output_index: index, ...delta })),
  { type: 'response.output_item.done', output_index: index, item: done },
]
const reasoningItem = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
const messageItem = { type: 'message', role: 'assistant', phase: 'commentary', content: [{ type: 'output_text', text: 'I look.' }] }
const callItem = { type: 'function_call', id: 'fc', call_id: 'fc_1', name: 'look', arguments: '{"q":"é"}' }
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 90 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 20 },
}
const completed = { type: 'response.completed', response: { status: 'completed', output: [reasoningItem, messageItem, callItem], usage } }
const responsesStream = events(
  { type: 'response.created', response: {} },
  ...item(0, reasoningItem, { type: 'response.reasoning_summary_text.delta', delta: 'hm' }),
  ...item(1, messageItem, { type: 'response.output_text.delta', delta: 'I look.' }),
  ...item(2, callItem, { type: 'response.function_call_arguments.delta', delta: '{"q"' }),
  completed,
)
const responsesParts: ModelPart[] = [
  { type: 'reasoning', text: 'hm' },
  { type: 'kept', data: reasoningItem },
  { type: 'text', text: 'I look.' },
  { type: 'said', phase: 'commentary' },
  { type: 'call', id: 'fc_1', name: 'look', input: '{"q":"é"}' },
  { type: 'finish', end: 'completed', usage: { ...noUsage, inputTokens: 100, cachedTokens: 90, outputTokens: 30, reasoningTokens: 20 } },
]

describe('a reply of OpenAI Responses', () => {
  it('gives items in order, as they were received', () => {
    assert.deepEqual(read(new ResponsesReply(), responsesStream), responsesParts)
  })

  it('reads a document, and items that come only with the end', () => {
    const [, ...rest] = responsesParts
    assert.deepEqual(read(new ResponsesReply(), JSON.stringify({ object: 'response', ...completed.response })), rest)
    assert.deepEqual(read(new ResponsesReply(), events(completed)), rest)
  })

  it('reads the reason of an incomplete response', () => {
    const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [], usage }
    const [finish] = read(new ResponsesReply(), events({ type: 'response.incomplete', response }))
    assert.equal(finish?.type === 'finish' && finish.end, 'max_output_tokens')
  })

  it('gives no end when it broke off, and passes on errors', () => {
    assert.deepEqual(read(new ResponsesReply(), events({ type: 'response.created' })), [{ type: 'finish', end: null, usage: noUsage }])
    const failed = { type: 'response.failed', response: { status: 'failed', error: { code: 'context_length_exceeded', message: '' } } }
    assert.throws(() => read(new ResponsesReply(), events(failed)), { name: 'ModelErrorResponse', code: 'context_length_exceeded' })
    const error = { type: 'error', code: 'server_error', message: 'busy', param: null }
    assert.throws(() => read(new ResponsesReply(), events(error)), { name: 'ModelErrorResponse', message: 'busy' })
    assert.throws(() => read(new ResponsesReply(), events({ hello: 1 })), SyntaxError)
  })
})

describe('bytes of a reply', () => {
  const streams: [string, () => ReplyReader][] = [
    [anthropicStream, () => new AnthropicReply()],
    [responsesStream, () => new ResponsesReply()],
  ]
  it('give the same parts however they are cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.array(fc.nat(3_000), { maxLength: 12 }), ([stream, make], cuts) => {
        const whole = Buffer.from(stream)
        const at = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].toSorted((one, other) => one - other)
        assert.deepEqual(read(make(), ...at.slice(1).map((end, index) => whole.subarray(at[index], end))), read(make(), whole))
      }),
    )
  })
})
