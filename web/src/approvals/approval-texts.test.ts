import { visibleTitle } from './visible-characters.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalView } from '../../../src/shapes/wire.ts'
import { joinNames, type ApprovalQuestion, offeredDecisions, requestFacts } from './approval-texts.ts'
import { approvalTitle } from './approval-title.ts'
import { page as enPage } from '../../../src/words/en/page.ts'
import { page as zhPage } from '../../../src/words/zh/page.ts'
import { getHeading } from '../chat/outcome-words.ts'
import { pageApprovalWords } from '../../../src/words/page-parts.ts'

const page = { en: enPage, zh: zhPage }
const en = pageApprovalWords['en']
const zh = pageApprovalWords['zh']

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
const makeQuestion = (change: Partial<ApprovalView> = {}): ApprovalQuestion => ({
  id: 'q',
  dialog: 'd',
  agent: 'ada',
  ask: { text: 'Allow ada to change src/a.ts?', items: [{ id: 'decision', text: '', kind: 'choice', options }] },
  approval: { ...approval, ...change },
})
const reader = (role: 'owner' | 'operator' | 'member', name = 'mia') => ({ id: `person:${name}`, name, role })

test('offeredDecisions: owners and operators get every option, members no "always"', () => {
  assert.deepEqual(offeredDecisions(makeQuestion(), reader('owner')), ['once', 'chat', 'always', 'deny'])
  assert.deepEqual(offeredDecisions(makeQuestion(), reader('operator')), ['once', 'chat', 'always', 'deny'])
  assert.deepEqual(offeredDecisions(makeQuestion(), reader('member')), ['once', 'chat', 'deny'])
})

test('offeredDecisions: a call that is not shown whole can only be denied, a hidden one not decided', () => {
  assert.deepEqual(offeredDecisions(makeQuestion({ shown: { ...approval.shown, isCut: true } }), reader('owner')), ['deny'])
  assert.deepEqual(offeredDecisions(makeQuestion({ isHidden: true }), reader('owner')), [])
  assert.deepEqual(offeredDecisions(makeQuestion({ shown: { ...approval.shown, text: '' } }), reader('owner')), [])
})

test('offeredDecisions: a person who gave one key of two can only deny', () => {
  assert.deepEqual(offeredDecisions(makeQuestion({ keys: 2, keysGiven: ['mia'] }), reader('owner')), ['deny'])
  assert.deepEqual(offeredDecisions(makeQuestion({ keys: 2, keysGiven: ['ann'] }), reader('owner')).length, 4)
})

test('approvalTitle: names the effect in the language of the reader and writes invisible characters out', () => {
  assert.equal(approvalTitle(makeQuestion(), page.en), 'Allow Ada to change src/a.ts?')
  assert.equal(approvalTitle(makeQuestion(), page.zh), '允许 Ada 修改 src/a.ts 吗？')
  const odd = { ...approval.shown, target: 'a\u202Ets.exe' }
  assert.equal(approvalTitle(makeQuestion({ shown: odd }), page.en), 'Allow Ada to change a⟨U+202E⟩ts.exe?')
  assert.equal(approvalTitle(makeQuestion({ isHidden: true }), page.en), 'Ada asks for approval')
})

test('requestFacts: says who asked, by which role and surface, and why', () => {
  assert.equal(requestFacts(approval, en, 'en'), 'Requested by Eve (guest, Telegram). Reason: No rule or grant allows write(src/a.ts).')
  const people = { ...approval, requesters: [{ id: 'person:mia', name: 'mia', role: 'owner' as const, via: 'web' }] }
  assert.equal(requestFacts(people, zh, 'zh'), '发起人：mia（所有者，网页）。原因：No rule or grant allows write(src/a.ts)。')
  const judged = { ...people, reason: { why: 'ask-by-default' as const, subjects: ['write(src/a.ts)'] } }
  assert.equal(requestFacts(judged, zh, 'zh'), '发起人：mia（所有者，网页）。原因：没有规则或授权允许 write(src/a.ts)。')
  const unknown = { ...approval, requesters: [{ id: 'person:mia', name: 'mia', role: 'owner' as const }] }
  assert.match(requestFacts(unknown, en, 'en'), /^Requested by mia \(owner\)\./)
})

test('anyOf: one of several people, or the owner', () => {
  assert.equal(joinNames(['mia', 'ann'], en, 'en'), 'mia or ann')
  assert.equal(joinNames(['owner'], en, 'en'), 'the owner')
  assert.equal(joinNames([], zh, 'zh'), '所有者')
})

test('visibleTitle: writes out what turns text around or hides in it, and leaves emoji whole', () => {
  assert.equal(visibleTitle('pay \u202Eeve\u200B'), 'pay ⟨U+202E⟩eve⟨U+200B⟩')
  assert.equal(visibleTitle('a\u200Db'), 'a⟨U+200D⟩b')
  assert.equal(visibleTitle('家 👨‍👩‍👧 ❤️‍🔥'), '家 👨‍👩‍👧 ❤️‍🔥')
})

test('getHeading: the log names the agent as the card does', () => {
  const question = makeQuestion()
  const by = { kind: 'agent' as const, name: question.agent }
  const item = { by, ask: { ...question.ask, text: 'Allow ada to change src/a.ts?' } }
  assert.equal(getHeading({ ...item, approval }, page.en), approvalTitle(question, page.en))
  assert.equal(getHeading({ ...item, approval }, page.zh), '允许 Ada 修改 src/a.ts 吗？')
  const waiting = 'Waiting for mia to approve.'
  assert.equal(getHeading({ by, ask: { ...question.ask, text: waiting } }, page.en), waiting)
})
