import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DialogView, emptyView, viewOfAll } from './dialog-view.ts'
import { ask, getHistory, you } from './test/any-history.ts'

describe('the view of a dialog: approvals', () => {
  const base = getHistory(['say', 'start']).events
  const mia = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' } as const
  const approval = {
    tool: 'run',
    toolHash: 'h',
    inputHash: 'i',
    role: 'guest',
    names: ['mia'],
    shown: { kind: 'run', target: '', server: '', text: 'id', facts: [] },
    because: 'No rule.',
    subjects: [],
    proposals: [[{ text: 'run(id)' }]],
    keys: 2,
    approvers: [],
    onceOnly: false,
    irreversible: false,
    bound: {},
  }
  const cause = { by: [{ id: 'telegram:1:2', name: 'Eve', role: 'guest' }], role: 'guest', origin: 'message' }
  const after = (...more: [string, object][]): DialogView =>
    viewOfAll(emptyView, [
      ...base,
      ...more.map(([type, data], index) => {
        const seq = base.length + index + 1
        return { stream: 'd', seq, position: seq, at: seq, type, data }
      }),
    ])
  const called: [string, object] = ['tool.called', { call: 'c', turn: 1, name: 'run', input: { command: 'id' }, policy: 'ask' }]
  const askedEvent: [string, object] = [
    'question.asked',
    {
      question: 'q',
      turn: 1,
      call: 'c',
      by: you,
      ask,
      expiresAt: null,
      purpose: 'approval',
      cause,
      audience: { kind: 'owner' },
      approval,
    },
  ]
  const answered = (decision: string, note?: string): [string, object] => [
    'question.answered',
    { question: 'q', answers: { decision }, by: mia, via: 'web', decision, ...(note ? { note } : {}) },
  ]
  const kinds = (view: DialogView): string[] => view.items.map(({ kind }) => kind)

  test('an open approval stands for its call and shows who asked for what', () => {
    const view = after(called, askedEvent)
    assert.deepEqual(kinds(view), ['message', 'question'])
    const [open] = view.questions
    assert.equal(open?.isApproval, true)
    assert.equal(open?.by.name, view.agent, 'the runtime asks on behalf of the agent')
    assert.deepEqual(open?.call, { id: 'c', name: 'run', input: { command: 'id' } })
    assert.equal(open?.approval?.turn, 1)
    assert.deepEqual(open?.approval?.requesters, cause.by)
    assert.equal(open?.approval?.shown.text, 'id')
  })

  test('keys that were given are counted while it is open', () => {
    const view = after(called, askedEvent, ['approval.key-given', { question: 'q', by: mia, via: 'web' }])
    assert.deepEqual(view.questions[0]?.approval?.keysGiven, ['mia'])
  })

  test('an allowed call gets its line back, and its result belongs to it', () => {
    const view = after(called, askedEvent, answered('once'), ['tool.returned', { call: 'c', ok: true, output: 'uid=0' }])
    assert.deepEqual(kinds(view), ['message', 'question', 'tool'])
    const tool = view.items.at(-1)
    assert.deepEqual(tool?.kind === 'tool' && [tool.id, tool.state, tool.output], ['c', 'done', 'uid=0'])
    const question = view.items[1]
    assert.equal(question?.kind === 'question' && question.approval?.decision, 'once')
  })

  test('a denied or stopped call has no line of its own', () => {
    const denied = after(called, askedEvent, answered('deny', 'not now'), ['tool.returned', { call: 'c', ok: false, output: 'denied' }])
    assert.deepEqual(kinds(denied), ['message', 'question'])
    const question = denied.items[1]
    assert.equal(question?.kind === 'question' && question.approval?.note, 'not now')
    const stopped = after(called, askedEvent, ['question.cancelled', { question: 'q', reason: null, why: 'stopped', by: mia }])
    assert.deepEqual(kinds(stopped), ['message', 'question'])
  })

  test('a call that a later grant covers runs, so it gets its line back', () => {
    assert.deepEqual(kinds(after(called, askedEvent, ['question.cancelled', { question: 'q', reason: null, why: 'covered', by: mia }])), [
      'message',
      'question',
      'tool',
    ])
  })

  test('a call that is asked about again is shown once', () => {
    const again: [string, object] = ['question.asked', { ...askedEvent[1], question: 'q2', approval: { ...approval, isChanged: true } }]
    const view = after(called, askedEvent, answered('once'), again)
    assert.deepEqual(kinds(view), ['message', 'question', 'question'])
    assert.equal(view.questions[0]?.approval?.isChanged, true)
  })
})
