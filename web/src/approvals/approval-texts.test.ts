import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalView } from '../../../src/client/wire.ts'
import { anyOf, approvalTitle, type ApprovalQuestion, offeredDecisions, requestFacts } from './approval-texts.ts'
import { approvalWords } from './approval-words.ts'

const en = approvalWords('en')
const zh = approvalWords('zh')

const approval: ApprovalView = {
  tool: 'run',
  turn: 1,
  names: ['mia', 'ann'],
  shown: { kind: 'write', target: 'src/a.ts', server: '', text: '@@', facts: [] },
  because: 'No rule or grant allows write(src/a.ts).',
  requesters: [{ id: 'telegram:1:2', name: 'Eve', role: 'guest' }],
  proposals: [],
  keys: 1,
  keysGiven: [],
  onceOnly: false,
  irreversible: false,
}
const options = ['once', 'chat', 'always', 'deny'].map((value) => ({ value, label: value }))
const asked = (change: Partial<ApprovalView> = {}): ApprovalQuestion => ({
  id: 'q',
  dialog: 'd',
  agent: 'ada',
  ask: { text: 'Allow ada to change src/a.ts?', items: [{ id: 'decision', text: '', kind: 'choice', options }] },
  approval: { ...approval, ...change },
})
const reader = (role: 'owner' | 'operator' | 'member', name = 'mia') => ({ id: `person:${name}`, name, role })

test('offeredDecisions: owners and operators get every option, members no "always"', () => {
  assert.deepEqual(offeredDecisions(asked(), reader('owner')), ['once', 'chat', 'always', 'deny'])
  assert.deepEqual(offeredDecisions(asked(), reader('operator')), ['once', 'chat', 'always', 'deny'])
  assert.deepEqual(offeredDecisions(asked(), reader('member')), ['once', 'chat', 'deny'])
})

test('offeredDecisions: a call that is not shown whole can only be denied, a hidden one not decided', () => {
  assert.deepEqual(offeredDecisions(asked({ shown: { ...approval.shown, isCut: true } }), reader('owner')), ['deny'])
  assert.deepEqual(offeredDecisions(asked({ isHidden: true }), reader('owner')), [])
  assert.deepEqual(offeredDecisions(asked({ shown: { ...approval.shown, text: '' } }), reader('owner')), [])
})

test('offeredDecisions: a person who gave one key of two can only deny', () => {
  assert.deepEqual(offeredDecisions(asked({ keys: 2, keysGiven: ['mia'] }), reader('owner')), ['deny'])
  assert.deepEqual(offeredDecisions(asked({ keys: 2, keysGiven: ['ann'] }), reader('owner')).length, 4)
})

test('approvalTitle: names the effect in the language of the reader and writes invisible characters out', () => {
  assert.equal(approvalTitle(asked(), en), 'Allow Ada to change src/a.ts?')
  assert.equal(approvalTitle(asked(), zh), '允许 Ada 修改 src/a.ts 吗？')
  const odd = { ...approval.shown, target: 'a\u202Ets.exe' }
  assert.equal(approvalTitle(asked({ shown: odd }), en), 'Allow Ada to change a⟨U+202E⟩ts.exe?')
  assert.equal(approvalTitle(asked({ isHidden: true }), en), 'Ada asks for approval')
})

test('requestFacts: says who asked, by which role and surface, and why', () => {
  assert.equal(requestFacts(approval, en, 'en'), 'Requested by Eve (guest, Telegram). Reason: No rule or grant allows write(src/a.ts).')
  const people = { ...approval, requesters: [{ id: 'person:mia', name: 'mia', role: 'owner' as const, via: 'web' }] }
  assert.equal(requestFacts(people, zh, 'zh'), '发起人：Mia（所有者，网页）。原因：No rule or grant allows write(src/a.ts)。')
  const unknown = { ...approval, requesters: [{ id: 'person:mia', name: 'mia', role: 'owner' as const }] }
  assert.match(requestFacts(unknown, en, 'en'), /^Requested by Mia \(owner\)\./)
})

test('anyOf: one of several people, or the owner', () => {
  assert.equal(anyOf(['mia', 'ann'], en, 'en'), 'Mia or Ann')
  assert.equal(anyOf(['owner'], en, 'en'), 'the owner')
  assert.equal(anyOf([], zh, 'zh'), '所有者')
})
