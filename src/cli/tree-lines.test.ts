import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogSummary } from '../shapes/wire.ts'
import { treeLines, buildTree } from './tree-lines.ts'
import type { Paint } from './terminal.ts'
import { terminalWords } from '../words/index.ts'

const plain = new Proxy({}, { get: () => (text: string) => text }) as Paint

function dialog(id: string, parent: string | null, change: Partial<DialogSummary> = {}): DialogSummary {
  const origin = parent === null ? null : { root: 'r', parent, mode: 'fresh' as const, session: null }
  const rest = {
    openQuestions: 0,
    preview: '',
    language: 'en' as const,
    openedAt: 0,
    updatedAt: Date.now(),
    course: 1,
    pending: [],
    spent: { tokens: 0, money: 0 },
  }
  return { id, agent: 'ada', title: `title ${id}`, status: 'ready', origin, ...rest, ...change }
}

const pending = [{ tellask: 'a', to: 'x', agent: 'researcher', session: null, at: 0 }]
const family = [
  dialog('r', null, { title: 'Reading list', status: 'delegated', pending }),
  dialog('x', 'r', { agent: 'researcher', status: 'waiting', openQuestions: 1 }),
  dialog('y', 'x', { agent: 'cy', status: 'dead' }),
  dialog('z', 'r', { agent: 'tester', status: 'failed' }),
]

test('a tree is drawn with its branches, states in words and signs, and failures first', () => {
  const lines = treeLines(buildTree(family), terminalWords.en, plain, 100)
  assert.deepEqual(
    lines.map((line) => line.replace(/\s+/g, ' ')),
    [
      'Reading list @ada … waiting for @researcher now r',
      '├ title z @tester ✗ failed now z',
      '└ title x @researcher ? waiting for you now 1 question for you x',
      ' └ title y @cy † given up now y',
    ],
  )
  assert.match(treeLines(buildTree(family), terminalWords.zh, plain, 100)[2] ?? '', /等您回答 .*1 个问题等您回答/)
})

test('titles of others cannot break a line, and a long one is cut', () => {
  const [line = ''] = treeLines(
    buildTree([dialog('r', null, { title: `one\n\u001b[31mtwo ${'x'.repeat(300)}` })]),
    terminalWords.en,
    plain,
    60,
  )
  assert.ok(!line.includes('\n') && !line.includes('\u001b'))
  assert.ok(line.length < 100)
})

test('a side dialog whose parent is not listed is shown below the root', () => {
  const nodes = buildTree([dialog('r', null), dialog('q', 'gone')])
  assert.deepEqual(
    nodes.map(({ id, sides }) => [id, sides.map((side) => side.id)]),
    [['r', ['q']]],
  )
})
