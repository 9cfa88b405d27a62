import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyView, viewOfAll } from '../../../src/client/index.ts'
import type { EventView } from '../../../src/shapes/wire.ts'
import { type Row, toRows } from './rows.ts'

const me = { kind: 'human', name: 'You' } as const

function draw(...events: [type: string, data: object][]): Row[] {
  const stored = events.map(([type, data], index): EventView => ({
    stream: 'd',
    seq: index + 1,
    position: index + 1,
    at: index,
    type,
    data,
  }))
  return toRows(viewOfAll(emptyView, stored), [], 50).rows
}

const fail = (turn: number, why: string): [string, object][] => [
  ['turn.started', { turn, cause: 'message', messages: [] }],
  ['turn.failed', { turn, code: 'model_unreachable', details: { why } }],
]

const call = (id: string, name: string, ok: boolean, output: string): [string, object][] => [
  ['tool.called', { turn: 1, call: id, name, input: { id } }],
  ['tool.returned', { turn: 1, call: id, ok, output }],
]

const describeRow = (row: Row): string =>
  row.kind === 'item'
    ? `${row.item.kind} ×${row.count}`
    : row.kind === 'work'
      ? row.calls.map(({ item, count }) => `${item.kind} ×${count}`).join(', ')
      : row.kind

test('toRows: forty equal failures are one row with a count, and the newest is shown', () => {
  const rows = draw(
    ['message.said', { message: 'm1', by: me, text: 'hi', turn: null, via: 'web' }],
    ...Array.from({ length: 40 }, (_, index) => fail(index + 1, 'nothing listens at its address')).flat(),
    ...fail(41, 'the connection was cut'),
  )
  assert.deepEqual(rows.map(describeRow), ['message ×1', 'failure ×40', 'failure ×1'])
  const [, repeated] = rows
  assert.ok(repeated?.kind === 'item' && repeated.item.kind === 'failure')
  assert.equal(repeated.item.at, 80)
  assert.equal(repeated.key, 'failure-3', 'the key stays while the count grows')
})

test('toRows: calls in a row are one line that has one line for each; equal failures are one of those', () => {
  const rows = draw(
    ...call('c1', 'read', false, 'no such file'),
    ...call('c2', 'read', false, 'no such file'),
    ...call('c3', 'read', false, 'another fault'),
    ...call('c4', 'read', true, 'text'),
    ...call('c5', 'read', true, 'text'),
  )
  assert.deepEqual(rows.map(describeRow), ['tool ×2, tool ×1, tool ×1, tool ×1'])
})

test('toRows: a call alone is its own row, and a message between two keeps them apart', () => {
  const said: [string, object] = ['message.said', { message: 'm1', by: me, text: 'hi', turn: null, via: 'web' }]
  const rows = draw(...call('c1', 'read', true, 'text'), said, ...call('c2', 'read', true, 'text'), ...call('c3', 'read', true, 'text'))
  assert.deepEqual(rows.map(describeRow), ['tool ×1', 'message ×1', 'tool ×1, tool ×1'])
  assert.equal(rows.at(-1)?.key, 'work-c2', 'the key stays while calls are added')
})
