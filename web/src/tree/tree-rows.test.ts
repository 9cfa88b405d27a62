import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { findByTyping, moveBy, toRows } from './tree-rows.ts'

function dialog(id: string, parent: string | null, title = id): DialogSummary {
  const origin = parent === null ? null : { root: 'r', parent, mode: 'fresh' as const, session: null }
  const rest = {
    openQuestions: 0,
    preview: '',
    language: 'en' as const,
    openedAt: 0,
    updatedAt: 0,
    course: 1,
    pending: [],
    spent: { tokens: 0, money: 0 },
  }
  return { id, agent: 'ada', title, status: 'ready', origin, ...rest }
}

const family = [
  dialog('r', null, 'Root'),
  dialog('a', 'r', 'Apple'),
  dialog('b', 'a', 'Berry'),
  dialog('c', 'r', 'Cherry'),
  dialog('x', 'gone', 'Xenon'),
]
const roots = [dialog('r', null, 'Root'), dialog('s', null, 'Second')]
const byRoot = new Map([['r', family]])
const questionCounts = new Map([
  ['b', 2],
  ['c', 1],
])
const rowTexts = (open: string[]): string[] =>
  toRows(roots, { byRoot, open: new Set(open) }, questionCounts).map(
    ({ dialog: { id }, level, position, siblings, questions }) => `${id} ${level} ${position}/${siblings} ?${questions}`,
  )

test('a closed branch carries the sum of what waits below it, an open one only its own', () => {
  assert.deepEqual(rowTexts([]), ['r 1 1/2 ?3', 's 1 2/2 ?0'])
  assert.deepEqual(rowTexts(['r']), ['r 1 1/2 ?0', 'a 2 1/3 ?2', 'c 2 2/3 ?1', 'x 2 3/3 ?0', 's 1 2/2 ?0'])
  assert.deepEqual(rowTexts(['r', 'a']).slice(1, 3), ['a 2 1/3 ?0', 'b 3 1/1 ?2'])
})

test('the keys of a tree', () => {
  const rows = toRows(roots, { byRoot, open: new Set(['r', 'a']) }, questionCounts)
  const at = (id: string): number => rows.findIndex(({ dialog: each }) => each.id === id)
  assert.deepEqual(moveBy('ArrowDown', rows, at('r')), { to: at('a') })
  assert.deepEqual(moveBy('ArrowUp', rows, 0), { to: 0 })
  assert.deepEqual(moveBy('End', rows, 0), { to: rows.length - 1 })
  assert.deepEqual(moveBy('Home', rows, 3), { to: 0 })
  assert.deepEqual(moveBy('ArrowRight', rows, at('a')), { to: at('b') })
  assert.equal(moveBy('ArrowRight', rows, at('b')), null)
  assert.deepEqual(moveBy('ArrowLeft', rows, at('b')), { to: at('a') })
  assert.deepEqual(moveBy('ArrowLeft', rows, at('a')), { open: false })
  assert.equal(moveBy('ArrowLeft', rows, at('s')), null)
  const closed = toRows(roots, { byRoot, open: new Set() }, questionCounts)
  assert.deepEqual(moveBy('ArrowRight', closed, 0), { open: true })
  assert.deepEqual(moveBy('ArrowDown', closed, -1), { to: 0 })
})

test('typing finds the next line that begins so, round the end', () => {
  const rows = toRows(roots, { byRoot, open: new Set(['r']) }, questionCounts)
  const title = ({ title: text }: DialogSummary): string => text
  assert.equal(rows[findByTyping('c', rows, 0, title)]?.dialog.id, 'c')
  assert.equal(rows[findByTyping('ap', rows, 4, title)]?.dialog.id, 'a')
  assert.equal(rows[findByTyping('se', rows, 4, title)]?.dialog.id, 's')
  assert.equal(findByTyping('zz', rows, 0, title), -1)
})
