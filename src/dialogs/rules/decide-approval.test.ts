import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePolicy } from '../../authority/test/samples.ts'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { type Approval, type ApprovalAnswer, approvalLimits, type GrantFacts } from './approval.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { initialDialog } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { approval as sampleApproval } from './test/dialog-facts.ts'

const { given } = deciderSpecification({ initial: initialDialog, decide: decideDialog, evolve: evolveDialog })
const rights = makePolicy({ people: { mia: { role: 'owner' }, bob: { role: 'operator' } } })
const mia: Participant = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }
const bob: Participant = { kind: 'human', name: 'bob', id: 'person:bob', role: 'operator' }
const at = 9

const approval: Approval = {
  ...sampleApproval,
  tool: 'pay',
  names: ['owner', 'bob'],
  shown: { ...sampleApproval.shown, target: 'pay' },
}
const makeGrant = (grant: string, dialog: string | null): GrantFacts => ({
  grant,
  agent: 'ada',
  tool: 'pay',
  toolHash: 'h',
  scope: `tool(${grant})`,
  role: 'owner',
  author: null,
  dialog,
  until: 99,
  scripts: {},
})
const opened: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: mia, language: 'en' } }
const started: DialogEvent = { type: 'turn.started', at: 2, data: { turn: 1 } }
const called = (call: string): DialogEvent => ({
  type: 'tool.called',
  at: 2,
  data: { call, turn: 1, name: 'pay', input: {}, policy: 'ask' },
})
const asked = (terms: Partial<Approval> = {}, question = 'q', call = 'c'): DialogEvent => ({
  type: 'question.asked',
  at: 3,
  data: {
    question,
    turn: 1,
    call,
    by: { kind: 'agent', name: 'parley' },
    ask: { text: 'Allow?', items: [{ id: 'decision', text: '', kind: 'text' }] },
    expiresAt: null,
    purpose: 'approval',
    audience: { kind: 'owner' },
    approval: { ...approval, ...terms },
  },
})
const made = (grant: GrantFacts): DialogEvent => ({ type: 'grant.made', at: 4, data: { grant, question: 'q0', by: mia, via: null } })
const waiting = [opened, started, called('c'), asked()] as const
const decide = (answer: ApprovalAnswer, by = mia): DialogCommand => ({
  type: 'answer-question',
  at,
  question: 'q',
  answers: {},
  by,
  approval: answer,
  rights,
})

test('approval: a standing decision needs a grant of its own reach, any other decision has none', () => {
  const here = makeGrant('g1', 'd')
  const everywhere = makeGrant('g2', null)
  const answer = (decision: ApprovalAnswer['decision'], ...grants: GrantFacts[]) => given(...waiting).when(decide({ decision, grants }))
  answer('once').thenTypes('question.answered')
  answer('deny').thenTypes('question.answered')
  answer('chat', here).thenTypes('question.answered', 'grant.made')
  answer('always', everywhere).thenTypes('question.answered', 'grant.made')
  answer('always', everywhere, { ...everywhere, grant: 'g3' }).thenTypes('question.answered', 'grant.made', 'grant.made')
  answer('chat').thenRefused('bad_request')
  answer('always').thenRefused('bad_request')
  answer('once', here).thenRefused('bad_request')
  answer('deny', here).thenRefused('bad_request')
  answer('chat', everywhere).thenRefused('bad_request')
  answer('always', here).thenRefused('bad_request')
  answer('always', everywhere, here).thenRefused('bad_request')
})

test('approval: the answer holds the decision, the scopes and a note that says something', () => {
  const data = { question: 'q', answers: { decision: 'chat' }, by: mia, via: null, decision: 'chat' }
  const grants = [makeGrant('g1', 'd'), makeGrant('g2', 'd')]
  const events = grants.map((grant) => ({ type: 'grant.made', data: { grant, question: 'q', by: mia, via: null } }))
  given(...waiting)
    .when(decide({ decision: 'chat', grants, note: 'for today' }))
    .then({ type: 'question.answered', data: { ...data, scope: 'tool(g1), tool(g2)', note: 'for today' } }, ...events)
  given(...waiting)
    .when(decide({ decision: 'once', grants: [], note: ' ' }))
    .then({ type: 'question.answered', data: { ...data, answers: { decision: 'once' }, decision: 'once' } })
})

test('approval: the length of a note and the number of grants have exact limits', () => {
  const note = 'x'.repeat(approvalLimits.noteChars)
  given(...waiting)
    .when(decide({ decision: 'once', grants: [], note }))
    .thenTypes('question.answered')
  given(...waiting)
    .when(decide({ decision: 'once', grants: [], note: `${note}x` }))
    .thenRefused('text_too_long')
  const grants = (count: number): DialogEvent[] => Array.from({ length: count }, (_, index) => made(makeGrant(`old${index}`, 'd')))
  const more = decide({ decision: 'chat', grants: [makeGrant('g', 'd')] })
  given(...waiting, ...grants(approvalLimits.grants - 1))
    .when(more)
    .thenTypes('question.answered', 'grant.made')
  given(...waiting, ...grants(approvalLimits.grants))
    .when(more)
    .thenRefused('too_many_waiting')
})

test('approval: two keys are two people, and one denial is enough', () => {
  const twoKeys = [opened, started, called('c'), asked({ keys: 2 })]
  const key: DialogEvent = { type: 'approval.key-given', at: 5, data: { question: 'q', by: bob, via: null } }
  const once: ApprovalAnswer = { decision: 'once', grants: [] }
  given(...twoKeys)
    .when(decide(once, bob))
    .then({ type: 'approval.key-given', data: key.data })
  given(...twoKeys, key)
    .when(decide(once, bob))
    .thenRefused('already_allowed')
  given(...twoKeys, key)
    .when(decide(once))
    .thenTypes('question.answered')
  given(...twoKeys)
    .when(decide({ decision: 'deny', grants: [] }))
    .thenTypes('question.answered')
  const gone: DialogEvent = {
    type: 'approval.key-given',
    at: 5,
    data: { question: 'q', by: { kind: 'human', name: 'eve', id: 'person:eve', role: 'guest' }, via: null },
  }
  given(...twoKeys, gone)
    .when(decide(once))
    .thenTypes('approval.key-given')
})

test('approval: a refusal says whether the decision or the person does not fit', () => {
  const eve: Participant = { kind: 'human', name: 'eve', id: 'person:eve', role: 'guest' }
  const answer = decide({ decision: 'once', grants: [] }, eve)
  given(...waiting)
    .when(answer)
    .thenRefused('not_addressed')
  const decision = decideDialog(given(...waiting).state, answer)
  assert.deepEqual('refused' in decision && decision.refused.details, { question: 'q', names: 'the owner, bob' })
  given(opened, started, called('c'), asked({ onceOnly: true }))
    .when(decide({ decision: 'chat', grants: [makeGrant('g', 'd')] }))
    .thenRefused('decision_not_offered')
})

test('approval: a plain answer counts as its decision, any other text does not', () => {
  const answer = (decision: string): DialogCommand => ({
    type: 'answer-question',
    at,
    question: 'q',
    answers: { decision },
    by: mia,
    rights,
  })
  given(...waiting)
    .when(answer('deny'))
    .thenTypes('question.answered')
  given(...waiting)
    .when(answer('yes'))
    .thenRefused('not_a_choice')
})

test('end-grant: ends the grant that is named, once', () => {
  const two = [opened, made(makeGrant('g1', 'd')), made(makeGrant('g2', 'd'))]
  const end = (grant: string): DialogCommand => ({ type: 'end-grant', at, grant, by: mia, why: 'revoked' })
  const ended: DialogEvent = { type: 'grant.ended', at, data: { grant: 'g2', by: mia, via: null, why: 'revoked' } }
  given(...two)
    .when(end('g2'))
    .then({ type: ended.type, data: ended.data })
  given(...two)
    .when(end('g3'))
    .thenRefused('grant_not_found')
  const after = given(...two, ended)
  after.when(end('g2')).thenRefused('grant_not_found')
  after.when(end('g1')).thenTypes('grant.ended')
  assert.deepEqual(
    after.state.grants.map(({ end: over }) => over),
    [null, { at, by: 'mia', why: 'revoked' }],
  )
})

test('declare-dead: ends the open grants of the dialog, and no others', () => {
  const origin = { root: 'r', parent: 'r', mode: 'fresh' as const, session: null }
  const side: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: mia, language: 'en', origin } }
  const ended: DialogEvent = { type: 'grant.ended', at, data: { grant: 'g1', by: mia, via: null, why: 'revoked' } }
  const grants = [made(makeGrant('g1', 'd')), made(makeGrant('g2', 'd')), made(makeGrant('g3', null)), ended]
  given(side, ...grants)
    .when({ type: 'declare-dead', at, by: mia })
    .then(
      { type: 'grant.ended', data: { grant: 'g2', by: mia, via: null, why: 'dialog-ended' } },
      { type: 'dialog.died', data: { by: mia, note: null } },
    )
  given(opened).when({ type: 'declare-dead', at, by: mia }).thenRefused('root_cannot_die')
})

test('withdraw-approvals: closes what waits for a person and what was approved and has not begun', () => {
  const answered = (question: string): DialogEvent => ({
    type: 'question.answered',
    at: 5,
    data: { question, answers: { decision: 'once' }, by: mia, via: null, decision: 'once' },
  })
  const begun: DialogEvent = { type: 'tool.started', at: 6, data: { call: 'c3' } }
  const calls = ['c1', 'c2', 'c3', 'c4'].map(called)
  const events = [opened, started, ...calls, asked({}, 'q1', 'c1'), asked({}, 'q2', 'c2'), asked({}, 'q3', 'c3')]
  const result = (call: string) => ({
    type: 'tool.returned',
    data: { call, ok: false, output: 'Stopped by mia before it ran.' },
  })
  given(...events, answered('q2'), answered('q3'), begun)
    .when({ type: 'withdraw-approvals', at, by: mia })
    .then({ type: 'question.cancelled', data: { question: 'q1', reason: null, why: 'stopped', by: mia } }, ...['c1', 'c2'].map(result))
})

test('approval: words that two people must approve cannot be changed by one of them', () => {
  const shown = { ...approval.shown, texts: [{ field: 'to', text: 'rent', most: 10 }] }
  const edits = { to: 'other' }
  given(opened, started, called('c'), asked({ shown, keys: 2 }))
    .when(decide({ decision: 'once', grants: [], edits }))
    .thenRefused('bad_request')
  given(opened, started, called('c'), asked({ shown }))
    .when(decide({ decision: 'once', grants: [], edits }))
    .then({
      type: 'question.answered',
      data: { question: 'q', answers: { decision: 'once' }, by: mia, via: null, decision: 'once', edits },
    })
})
