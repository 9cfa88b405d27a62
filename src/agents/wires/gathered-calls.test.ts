import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pieceBytes } from './event-stream.ts'
import { GatheredCalls } from './gathered-calls.ts'

type Piece = { index?: number | null; id?: string | null; type?: string; function?: { name?: string | null; arguments?: unknown } | null }

const gather = (...pieces: unknown[]): [string, string, string][] => {
  const calls = new GatheredCalls()
  for (const piece of pieces) calls.take(piece)
  return calls.whole().flatMap((call) => (call.type === 'call' ? [[call.id, call.name, String(call.input)]] : []))
}
const look = (args: unknown, more: Piece = {}): Piece => ({ ...more, function: { name: 'look', arguments: args } })
const more = (args: unknown, labels: Piece = {}): Piece => ({ ...labels, function: { arguments: args } })

describe('calls put together from pieces', () => {
  const cases: [string, Piece[], [string, string, string][]][] = [
    [
      'by the protocol',
      [look('', { index: 0, id: 'a', type: 'function' }), more('{"x"', { index: 0 }), more(':1}', { index: 0 })],
      [['a', 'look', '{"x":1}']],
    ],
    [
      'interleaved, and out of order',
      [look('', { index: 1, id: 'b' }), look('', { index: 0, id: 'a' }), more('{"b":1}', { index: 1 }), more('{"a":1}', { index: 0 })],
      [
        ['a', 'look', '{"a":1}'],
        ['b', 'look', '{"b":1}'],
      ],
    ],
    ['in one piece, without an index', [look('{"x":1}', { id: 'a' })], [['a', 'look', '{"x":1}']]],
    ['without an id', [look('{"x"', { index: 0 }), more(':1}', { index: 0 })], [['', 'look', '{"x":1}']]],
    ['without any label', [look('{"x"'), more(':1}')], [['', 'look', '{"x":1}']]],
    [
      'several without any label',
      [look('{"x":1}'), look('{"x":2}')],
      [
        ['', 'look', '{"x":1}'],
        ['', 'look', '{"x":2}'],
      ],
    ],
    [
      'all with the same index',
      [look('{"x":1}', { index: 0, id: 'a' }), look('{"x":2}', { index: 0, id: 'b' })],
      [
        ['a', 'look', '{"x":1}'],
        ['b', 'look', '{"x":2}'],
      ],
    ],
    [
      'all with the same index and no id',
      [look('{}', { index: 0 }), look('{}', { index: 0 })],
      [
        ['', 'look', '{}'],
        ['', 'look', '{}'],
      ],
    ],
    [
      'all with the same id',
      [look('{"x":1}', { index: 0, id: 'a' }), look('{"x":2}', { index: 1, id: 'a' })],
      [
        ['a', 'look', '{"x":1}'],
        ['a', 'look', '{"x":2}'],
      ],
    ],
    ['the id on every piece', [look('', { index: 0, id: 'a' }), more('{}', { index: 0, id: 'a' })], [['a', 'look', '{}']]],
    ['the id on every piece, without an index', [look('{"x"', { id: 'a' }), more(':1}', { id: 'a' })], [['a', 'look', '{"x":1}']]],
    ['id and name on every piece', [look('{"x"', { index: 0, id: 'a' }), look(':1}', { index: 0, id: 'a' })], [['a', 'look', '{"x":1}']]],
    ['a new id for each piece', [look('{"x"', { index: 0, id: 'a' }), more(':1}', { index: 0, id: 'b' })], [['a', 'look', '{"x":1}']]],
    [
      'empty labels after the first piece',
      [look('{"x"', { index: 0, id: 'a' }), { index: 0, id: '', function: { name: '', arguments: ':1}' } }],
      [['a', 'look', '{"x":1}']],
    ],
    [
      'nulls after the first piece',
      [look(null, { index: 0, id: 'a' }), { index: 0, id: null, function: { name: null, arguments: '{}' } }],
      [['a', 'look', '{}']],
    ],
    ['the name after the input', [more('{"x"', { index: 0, id: 'a' }), look(':1}', { index: 0 })], [['a', 'look', '{"x":1}']]],
    ['the id after the name', [look('{', { index: 0 }), more('}', { index: 0, id: 'a' })], [['a', 'look', '{}']]],
    ['an object instead of a text', [look({ x: 1 }, { index: 0, id: 'a' })], [['a', 'look', '{"x":1}']]],
    ['no input at all', [{ index: 0, id: 'a', function: { name: 'look' } }], [['a', 'look', '']]],
    ['nothing in it', [{}, { function: null }, { index: 0, function: {} }], []],
    [
      'different tools without any label',
      [look('{'), more('}'), { function: { name: 'find', arguments: '{}' } }],
      [
        ['', 'look', '{}'],
        ['', 'find', '{}'],
      ],
    ],
  ]
  for (const [what, pieces, calls] of cases) it(what, () => assert.deepEqual(gather(...pieces), calls))

  it('ignores what is no piece', () => assert.deepEqual(gather(null, 7, 'x', [], look('{}')), [['', 'look', '{}']]))

  it('does not guess which tool is meant', () => assert.throws(() => gather(more('{}')), /without saying which/))

  it('does not keep input without bounds', () => {
    const part = 'x'.repeat(pieceBytes / 4)
    assert.throws(() => gather(look(part), more(part), more(part), more(part), more(part)), { code: 'model_garbled' })
  })
})
