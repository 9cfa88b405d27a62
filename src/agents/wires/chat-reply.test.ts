import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { streamChunks } from '../../testing/model-wire.ts'
import { noUsage } from '../models/usage.ts'
import { ChatReply } from './chat-reply.ts'
import { pieceBytes } from './event-stream.ts'
import type { ModelPart } from './wire.ts'

function read(...chunks: (string | Buffer)[]): ModelPart[] {
  const reply = new ChatReply()
  const parts: ModelPart[] = []
  for (const chunk of chunks) if (!reply.isDone) parts.push(...(reply.take(Buffer.from(chunk as string)) ?? []))
  return [...parts, ...reply.end()]
}
const events = (...values: (object | string)[]): string =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('')
const delta = (given: object, reason: string | null = null): object => ({ choices: [{ index: 0, delta: given, finish_reason: reason }] })
const stop = delta({}, 'stop')
const text = (words: string): ModelPart => ({ type: 'text', text: words })
const finish = (end: string | null, inputTokens: number | null = null, outputTokens: number | null = null): ModelPart => ({
  type: 'finish',
  end,
  usage: { ...noUsage, inputTokens, outputTokens },
})
const kept = (content: string): ModelPart => ({ type: 'kept', data: { reasoning_content: content } })

describe('a chat-completions reply', () => {
  const cases: [string, string, ModelPart[]][] = [
    ['words', events(delta({ role: 'assistant', content: '' }), delta({ content: 'Hi' }), stop, '[DONE]'), [text('Hi'), finish('stop')]],
    ['no [DONE]', events(delta({ content: 'Hi' }), stop), [text('Hi'), finish('stop')]],
    ['the reason with the last words', events(delta({ content: 'Hi' }, 'stop')), [text('Hi'), finish('stop')]],
    [
      'reasoning_content',
      events(delta({ reasoning_content: 'hm', content: 'Hi' }), delta({ reasoning_content: '…' }), stop),
      [{ type: 'reasoning', text: 'hm' }, text('Hi'), { type: 'reasoning', text: '…' }, kept('hm…'), finish('stop')],
    ],
    [
      'reasoning_details in pieces',
      events(
        delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'h' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm', signature: 's' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'x' }, null], content: 'Hi' }),
        stop,
      ),
      [
        text('Hi'),
        {
          type: 'kept',
          data: {
            reasoning_details: [
              { type: 'reasoning.text', index: 0, text: 'hm', signature: 's' },
              { type: 'reasoning.encrypted', index: 1, data: 'x' },
            ],
          },
        },
        finish('stop'),
      ],
    ],
    [
      'a signature on a call',
      events(
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{}' }, extra_content: { google: { s: 1 } } }] }),
        stop,
      ),
      [{ type: 'call', id: 'a', name: 'look', input: '{}', extra: { extra_content: { google: { s: 1 } } } }, finish('stop')],
    ],
    ['reasoning', events(delta({ reasoning: 'hm', reasoning_content: null }), stop), [{ type: 'reasoning', text: 'hm' }, finish('stop')]],
    [
      'content as a list',
      events(
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }, null] },
            { type: 'text', text: 'Hi' },
            { type: 'image' },
            null,
          ],
        }),
        stop,
      ),
      [{ type: 'reasoning', text: 'hm' }, text('Hi'), finish('stop')],
    ],
    [
      'a refusal',
      events(delta({ content: null, refusal: 'I will not.' }), stop),
      [{ type: 'refusal', text: 'I will not.' }, finish('stop')],
    ],
    ['a refusal that is no text', events(delta({ content: 'Hi', refusal: false }), stop), [text('Hi'), finish('stop')]],
    [
      'usage in a last chunk',
      events(stop, { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } }, '[DONE]'),
      [finish('stop', 7, 5)],
    ],
    ['usage without choices', events(stop, { usage: { prompt_tokens: 7 } }), [finish('stop', 7, null)]],
    ['usage null', events({ ...stop, usage: null }), [finish('stop')]],
    [
      'usage on every chunk',
      events({ ...delta({}), usage: { completion_tokens: 1 } }, { ...stop, usage: { completion_tokens: 2 } }),
      [finish('stop', null, 2)],
    ],
    ['usage that is nonsense', events({ ...stop, usage: { prompt_tokens: -1, completion_tokens: '5' } }), [finish('stop')]],
    ['finish: length', events(delta({}, 'length')), [finish('length')]],
    ['finish: max_tokens', events(delta({}, 'max_tokens')), [finish('max_tokens')]],
    ['finish: content_filter', events(delta({}, 'content_filter')), [finish('content_filter')]],
    ['finish: tool_calls', events(delta({}, 'tool_calls')), [finish('tool_calls')]],
    ['finish: function_call', events(delta({}, 'function_call')), [finish('function_call')]],
    ['finish: never', events(delta({ content: 'Hi' }), '[DONE]'), [text('Hi'), finish(null)]],
    ['finish: empty until the end', events(delta({ content: 'Hi' }, ''), stop), [text('Hi'), finish('stop')]],
    ['finish: taken back by nothing', events(delta({}, 'length'), delta({})), [finish('length')]],
    ['no delta', events({ choices: [{ index: 0, finish_reason: null }] }, { choices: [{ delta: null }] }, stop), [finish('stop')]],
    ['an error that is null', events({ ...stop, error: null }), [finish('stop')]],
    [
      'the old way to call',
      events(delta({ function_call: { name: 'look', arguments: '{}' } }, 'function_call')),
      [{ type: 'call', id: '', name: 'look', input: '{}' }, finish('function_call')],
    ],
    [
      'a message repeated at the end',
      events(delta({ content: 'Hi' }), { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      [text('Hi'), finish('stop')],
    ],
    [
      'a whole completion as the only event',
      events({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      [text('Hi'), finish('stop')],
    ],
    ['nothing after [DONE]', events(stop, '[DONE]', delta({ content: 'late' })), [finish('stop')]],
    ['empty events', 'data:\n\n'.repeat(3) + events(stop), [finish('stop')]],
    [
      'a document, after white space',
      `\uFEFF\n\n ${JSON.stringify({ choices: [{ message: { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{}' } }] }, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 1, completion_tokens: 2 } }, null, 2)}\n`,
      [text('Hi'), { type: 'call', id: 'a', name: 'look', input: '{}' }, finish('tool_calls', 1, 2)],
    ],
  ]
  for (const [what, bytes, parts] of cases) it(`reads ${what}`, () => assert.deepEqual(read(bytes), parts))

  it('gives no call of a reply that broke off', () => {
    assert.deepEqual(read(events(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{' } }] }))), [
      finish(null),
    ])
  })

  it('tells what is said from what only keeps the line open', () => {
    const reply = new ChatReply()
    const isHeard = (bytes: string): boolean => reply.take(Buffer.from(bytes)) !== null
    assert.equal(isHeard(': keep-alive\n\n'), false)
    assert.equal(isHeard(events(delta({ role: 'assistant', content: '' }))), false)
    assert.equal(isHeard(events(delta({ content: 'Hi' }))), true)
    assert.equal(isHeard(events(delta({ tool_calls: [{ index: 0, function: { name: 'look', arguments: '' } }] }))), true)
    assert.equal(isHeard(': keep-alive\n\n'), false)
    assert.equal(isHeard(events(stop)), true)
  })

  const errors: [string, string, object][] = [
    [
      'an error object',
      events({ error: { message: 'busy', type: 'overloaded_error', code: 529 } }),
      { message: 'busy', type: 'overloaded_error', code: 529 },
    ],
    [
      'an error with the last chunk',
      events({ ...delta({}, 'error'), error: { message: 'busy', code: 502 } }),
      { message: 'busy', code: 502 },
    ],
    ['an error that is a text', events({ error: 'busy' }), { message: 'busy' }],
    ['an error without the outer object', events({ object: 'error', message: 'busy', code: 400 }), { message: 'busy', code: 400 }],
    ['an error document', '{"error":{"message":"busy"}}', { message: 'busy' }],
    ['an error in a list', '[{"error":{"message":"busy"}}]', { message: 'busy' }],
    ['an error without words', events({ error: {} }), { message: '' }],
  ]
  for (const [what, bytes, said] of errors)
    it(`passes on ${what}`, () => assert.throws(() => read(bytes), { name: 'ModelErrorResponse', ...said }))

  const unreadable: [string, string][] = [
    ['events that are no JSON', events('{nope')],
    ['another protocol', events({ type: 'message_start' })],
    ['plain values', events('7')],
    ['null', events('null')],
    ['a document that is cut', '{"choices":['],
    ['another document', '{"ok":true}'],
  ]
  for (const [what, bytes] of unreadable) it(`does not read ${what}`, () => assert.throws(() => read(bytes), SyntaxError))

  it('says so when nothing came', () => {
    for (const bytes of ['', '\n\n', ': comment\n\n', '<html></html>', events('[DONE]')])
      assert.throws(() => read(bytes), /it sent nothing/)
  })

  it('does not keep a document without bounds', () => {
    assert.throws(() => read('{', Buffer.alloc(pieceBytes, ' ')), { code: 'model_garbled' })
  })

  it('gives the same reply however its bytes are cut', () => {
    const reply = {
      thinking: ['héh', '…'],
      pieces: ['Good ', '世界 🎈', '\r\n"x"'],
      calls: [{ id: 'c1', name: 'look', args: ['{"a":', '"é"}'] }],
    }
    const stream = streamChunks('openai-compatible', reply).join('')
    const wholes = [
      stream,
      stream.replaceAll('\n', '\r\n'),
      `\uFEFF${stream}`,
      `: hi\n\n${stream}`,
      ...cases.map(([, bytes]) => bytes),
    ].map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.constantFrom(...wholes), fc.array(fc.nat(2_000), { maxLength: 12 }), fc.boolean(), (whole, cuts, isEach) => {
        const places = isEach ? Array.from(whole.keys()) : cuts.filter((cut) => cut < whole.length)
        const at = [0, ...places, whole.length].toSorted((one, other) => one - other)
        assert.deepEqual(read(...at.slice(1).map((end, index) => whole.subarray(at[index], end))), read(whole))
      }),
    )
  })
})
