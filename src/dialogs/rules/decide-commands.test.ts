import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePolicy } from '../../authority/test/samples.ts'
import { dialogTexts } from '../../words/index.ts'
import type { DialogCommand } from './decide-dialog.ts'
import { firstWords } from './decide-talk.ts'
import type { DialogEvent } from './dialog-events.ts'
import { dialogLimits } from './dialog-state.ts'
import { tellaskLimits } from './tellask.ts'
import {
  agent,
  approval,
  asked,
  budget,
  called,
  failed,
  finished,
  generations,
  given,
  guest,
  opened,
  openedAside,
  operator,
  owner,
  runtime,
  said,
  started,
  tellaskMade,
  tellaskReceived,
} from './test/dialog-facts.ts'

const at = 9
const usage = { inputTokens: null, outputTokens: null }
const running = [opened(), said(), started()] as const
const cause = { by: [{ id: 'person:mia', name: 'mia', role: 'owner' }], role: 'owner', origin: 'message' }
const reminder = (number: number, position = number - 1): DialogEvent => ({
  type: 'reminder.added',
  at: 3,
  data: { reminder: `r${number}`, text: `Text ${number}`, position },
})

test('a text of exactly the longest length is said, one character more is refused', () => {
  const say = (length: number) => given(opened()).when({ type: 'say', at, message: 'm', text: 'x'.repeat(length), by: owner })
  say(dialogLimits.textChars).thenTypes('message.said', 'dialog.titled')
  say(dialogLimits.textChars + 1).thenRefused('text_too_long')
})

test('a title of exactly the longest length is set, one character more is refused', () => {
  const title = (length: number) => given(opened()).when({ type: 'title-dialog', at, title: 'x'.repeat(length), by: 'human' })
  title(dialogLimits.titleChars).thenTypes('dialog.titled')
  title(dialogLimits.titleChars + 1).thenRefused('text_too_long')
})

test('the first words end with the line, and are cut between words after 60 characters', () => {
  assert.equal(firstWords(' one \n two'), 'one')
  assert.equal(firstWords('x'.repeat(60)), 'x'.repeat(60))
  assert.equal(firstWords('x'.repeat(61)), `${'x'.repeat(60)}…`)
  assert.equal(firstWords(`${'x'.repeat(31)} ${'y'.repeat(40)}`), `${'x'.repeat(31)}…`)
  assert.equal(firstWords(`${'x'.repeat(30)} ${'y'.repeat(40)}`), `${'x'.repeat(30)} ${'y'.repeat(29)}…`)
  assert.equal(firstWords(`${'x'.repeat(59)}😀y`), `${'x'.repeat(59)}…`, 'no half of a character is left')
})

test('a change of pushes continues a dialog only where that is asked', () => {
  given(opened())
    .when({ type: 'change-pushes', at, change: 'off', by: owner })
    .then({ type: 'pushes.changed', data: { change: 'off', by: owner, via: null } })
  given(opened(), { type: 'pushes.changed', at, data: { change: 'off', by: owner, via: null } })
    .when({ type: 'change-pushes', at, change: 'on', by: owner, continues: true })
    .thenTypes('pushes.changed', 'dialog.continued')
})

test('a reminder is changed and deleted by its number, which begins at 1', () => {
  const two = [opened(), reminder(1), reminder(2)] as const
  given(...two)
    .when({ type: 'update-reminder', at, number: 1, text: 'New' })
    .then({ type: 'reminder.updated', data: { reminder: 'r1', text: 'New' } })
  given(...two)
    .when({ type: 'delete-reminder', at, number: 2 })
    .then({ type: 'reminder.deleted', data: { reminder: 'r2' } })
  for (const number of [0, 3]) {
    given(...two)
      .when({ type: 'update-reminder', at, number, text: 'New' })
      .thenRefused('bad_reminder')
    given(...two)
      .when({ type: 'delete-reminder', at, number })
      .thenRefused('bad_reminder')
  }
})

test('a reminder is put last, or at the position that is named', () => {
  const add = (position?: number) =>
    given(opened(), reminder(1)).when({
      type: 'add-reminder',
      at,
      reminder: 'r',
      text: 'T',
      ...(position === undefined ? {} : { position }),
    })
  const added = (position: number) => ({ type: 'reminder.added', data: { reminder: 'r', text: 'T', position } })
  add().then(added(1))
  add(1).then(added(0))
  add(2).then(added(1))
  for (const position of [-1, 3, 1.5]) add(position).thenRefused('bad_reminder')
})

test('text and number of reminders have exact limits', () => {
  const add = (count: number, text: string) =>
    given(opened(), ...Array.from({ length: count }, (_, index) => reminder(index + 1))).when({
      type: 'add-reminder',
      at,
      reminder: 'r',
      text,
    })
  add(dialogLimits.reminders - 1, 'T').thenTypes('reminder.added')
  add(dialogLimits.reminders, 'T').thenRefused('bad_reminder')
  add(0, 'x'.repeat(dialogLimits.reminderChars)).thenTypes('reminder.added')
  add(0, 'x'.repeat(dialogLimits.reminderChars + 1)).thenRefused('bad_reminder')
  add(0, ' ').thenRefused('bad_reminder')
})

test('a cleared mind begins the next course; questions of the agent end, those about limits stay', () => {
  const expected = [
    { type: 'question.cancelled', data: { question: 'q1', reason: null, why: 'mind-cleared', by: agent } },
    { type: 'tool.returned', data: { call: 'c1', ok: false, output: 'Dropped when the mind was cleared.' } },
    { type: 'course.started', data: { course: 2, why: 'asked', prompt: 'Go on' } },
  ]
  given(...running, called('c1'), called('c2'), asked('q1', { call: 'c1' }), asked('q2', { purpose: 'limit', limit: generations }))
    .when({ type: 'clear-mind', at, why: 'asked', prompt: 'Go on' })
    .then(...expected)
})

test('a course of a model keeps its snapshot; only the first has the number the dialog began with', () => {
  const snapshot = {} as Extract<DialogCommand, { type: 'start-course' }>['snapshot']
  const start = (why: 'first' | 'asked') => given(...running).when({ type: 'start-course', at, why, snapshot, offset: 60 })
  const course = (number: number, why: string) => ({
    type: 'course.started',
    data: { course: number, why, prompt: '', snapshot, offset: 60 },
  })
  start('first').then(course(1, 'first'))
  start('asked').then(course(2, 'asked'))
  given(...running)
    .when({ type: 'clear-mind', at, why: 'forced', prompt: '', snapshot })
    .then({ type: 'course.started', data: { course: 2, why: 'forced', prompt: '', snapshot, offset: 0 } })
})

test('a fresh start is requested once', () => {
  const requested: DialogEvent = { type: 'course.requested', at, data: { by: owner, via: null } }
  const request: DialogCommand = { type: 'request-course', at, by: owner }
  given(...running)
    .when(request)
    .then({ type: 'course.requested', data: { by: owner, via: null } })
  given(...running, requested)
    .when(request)
    .thenTypes()
})

test('generations of a turn are numbered from 1', () => {
  const generation = (turn: number, number: number) => ({ type: 'generation.started', data: { turn, generation: number } })
  const done: DialogEvent = { type: 'generation.finished', at, data: { turn: 1, generation: 1, model: null, usage } }
  given(...running)
    .when({ type: 'start-generation', at })
    .then(generation(1, 1))
  given(...running, done)
    .when({ type: 'start-generation', at })
    .then(generation(1, 2))
  given(...running, done, finished(3))
    .when({ type: 'start-generation', at })
    .then(generation(1, 1))
})

test('an agent asks in its own name and chooses the audience; the runtime asks the owner in its name', () => {
  const group = { kind: 'human', name: 'Kim', id: 'telegram:kim', role: 'group' } as const
  const ask = { text: 'Which?', items: [{ id: 'name', text: 'Name?', kind: 'text' as const }] }
  const make = (by: typeof group | typeof owner, more: object) =>
    given(opened(), said({ by }), started()).when({
      type: 'ask-question',
      at,
      asked: { question: 'q', call: null, ask, expiresAt: 7, ...more },
    })
  const base = { question: 'q', turn: 1, call: null, ask, expiresAt: 7 }
  make(owner, { to: 'everyone' }).then({
    type: 'question.asked',
    data: { ...base, by: agent, cause, audience: { kind: 'authors', ids: ['person:mia'] } },
  })
  const groupCause = { by: [{ id: 'telegram:kim', name: 'Kim', role: 'group' }], role: 'group', origin: 'message' }
  make(group, { to: 'everyone' }).then({
    type: 'question.asked',
    data: { ...base, by: agent, cause: groupCause, audience: { kind: 'everyone' } },
  })
  make(group, { to: 'everyone', purpose: 'limit', limit: budget }).then({
    type: 'question.asked',
    data: { ...base, by: runtime, cause: groupCause, purpose: 'limit', limit: budget, audience: { kind: 'owner' } },
  })
})

test('only people a question is for may answer or decline it, and they are named', () => {
  const waiting = [...running, asked('q1', { audience: { kind: 'authors', ids: ['person:mia'] } })] as const
  const by = ['Mia', 'Bo'].map((name) => ({ id: `person:${name}`, name, role: 'owner' as const }))
  const askedFor = { by, role: 'owner' as const, origin: 'message' as const }
  const answer: DialogCommand = { type: 'answer-question', at, question: 'q1', answers: { name: 'x' }, by: guest }
  for (const command of [answer, { type: 'decline-question', at, question: 'q1', by: guest } as const])
    given(...waiting)
      .when(command)
      .thenRefused('not_addressed', { names: 'the owner' })
  given(...running, asked('q1', { audience: { kind: 'authors', ids: ['person:mia'] }, cause: askedFor }))
    .when(answer)
    .thenRefused('not_addressed', { names: 'Mia, Bo' })
  given(...waiting)
    .when({ ...answer, by: operator })
    .thenTypes('question.answered')
})

test('a budget is raised by an owner, any other limit also by an operator', () => {
  const end = (limit: typeof budget, by: typeof owner, type: 'answer-question' | 'decline-question') =>
    given(...running, asked('q1', { purpose: 'limit', limit })).when(
      type === 'answer-question' ? { type, at, question: 'q1', answers: { name: 'x' }, by } : { type, at, question: 'q1', by },
    )
  for (const type of ['answer-question', 'decline-question'] as const) {
    end(budget, operator, type).thenRefused('owner_only')
    end(budget, owner, type).thenTypes(type === 'answer-question' ? 'question.answered' : 'question.declined')
    end(generations, operator, type).thenTypes(type === 'answer-question' ? 'question.answered' : 'question.declined')
  }
})

test('an approval that is declined is a denial with the reason as its note', () => {
  const rights = makePolicy({ people: { mia: { role: 'owner' } } })
  const decline = (reason?: string) =>
    given(...running, called('c1'), asked('q1', { call: 'c1', purpose: 'approval', approval })).when({
      type: 'decline-question',
      at,
      question: 'q1',
      by: owner,
      rights,
      ...(reason === undefined ? {} : { reason }),
    })
  const data = { question: 'q1', answers: { decision: 'deny' }, by: owner, via: null, decision: 'deny' }
  decline().then({ type: 'question.answered', data })
  decline('not today').then({ type: 'question.answered', data: { ...data, note: 'not today' } })
})

test('a rule or a raise that came later closes approvals and questions about limits, and no others', () => {
  const settle = (more: object) => given(...running, called('c1'), asked('q1', more)).when({ type: 'settle-approval', at, question: 'q1' })
  const covered = { type: 'question.cancelled', data: { question: 'q1', reason: null, why: 'covered', by: runtime } }
  settle({ purpose: 'approval', approval, call: 'c1' }).then(covered)
  settle({ purpose: 'limit', limit: generations }).then(covered)
  settle({}).thenTypes()
})

test('an approval does not expire', () => {
  const expire = (more: object) => given(...running, called('c1'), asked('q1', more)).when({ type: 'expire-question', at, question: 'q1' })
  expire({ purpose: 'approval', approval, call: 'c1' }).thenTypes()
  expire({}).then({ type: 'question.expired', data: { question: 'q1' } })
})

test('a request between dialogs is made once, and only so many wait', () => {
  const make = (count: number, tellask: string) =>
    given(...running, ...Array.from({ length: count }, (_, index) => tellaskMade(`t${index}`))).when({
      type: 'make-tellask',
      at,
      tellask,
      call: 'c',
      mode: 'fresh',
      to: 'd2',
      agent: 'bob',
      session: null,
      content: 'Do it',
    })
  make(tellaskLimits.pending - 1, 'new').thenTypes('tellask.made')
  make(tellaskLimits.pending, 'new').thenRefused('too_many_waiting')
  make(1, 't0').thenRefused('turn_over')
})

test('a dialog takes only so many requests of others', () => {
  const receive = (count: number) =>
    given(openedAside(), ...Array.from({ length: count }, (_, index) => tellaskReceived(`t${index}`))).when({
      type: 'receive-tellask',
      at,
      tellask: 'new',
      mode: 'session',
      from: 'd1',
      by: 'ada',
      session: 's',
      content: 'Do it',
      about: null,
    })
  receive(tellaskLimits.waiting - 1).thenTypes('tellask.received')
  receive(tellaskLimits.waiting).thenRefused('too_many_waiting')
})

test('a reply is given to the request that is worked on, and to no other', () => {
  const give = (tellask: string) =>
    given(openedAside(), tellaskReceived('t1'), started(), tellaskReceived('t2')).when({ type: 'give-reply', at, tellask, text: 'Done' })
  give('t1').then({ type: 'reply.given', data: { tellask: 't1', text: 'Done' } })
  give('t2').thenRefused('turn_over')
  give('t3').thenRefused('turn_over')
})

test('a reply to a request that does not wait any more is ignored', () => {
  const receive = (tellask: string) =>
    given(...running, tellaskMade('t1')).when({ type: 'receive-reply', at, tellask, outcome: 'replied', text: 'Done', status: 'done' })
  receive('t1').then({ type: 'reply.received', data: { tellask: 't1', outcome: 'replied', text: 'Done', status: 'done' } })
  receive('t2').thenTypes()
})

test('a dead dialog refuses everything but its own death, which it ignores', () => {
  const dead = [openedAside(), { type: 'dialog.died', at: 8, data: { by: owner, note: null } }] as const
  given(...dead)
    .when({ type: 'declare-dead', at, by: owner })
    .thenTypes()
  given(...dead)
    .when({ type: 'say', at, message: 'm', text: 'hi', by: owner })
    .thenRefused('dialog_dead')
  given(...dead)
    .when({ type: 'cut-turn', at, why: 'death', spent: { tokens: 1, money: 0 } })
    .then({ type: 'turn.cut', data: { turn: 0, why: 'death', spent: { tokens: 1, money: 0 } } })
  given(...dead)
    .when({ type: 'open-dialog', at, agent: 'ada', by: owner, language: 'en' })
    .thenRefused('dialog_exists')
})

test('a failure is settled only while it is there', () => {
  const settle: DialogCommand = { type: 'settle-failure', at, why: 'timeout' }
  given(...running)
    .when(settle)
    .thenRefused('nothing_to_continue')
  given(...running, failed())
    .when(settle)
    .then({ type: 'failure.settled', data: { why: 'timeout' } })
  given(...running, failed())
    .when({ ...settle, why: 'given-up', by: owner })
    .then({ type: 'failure.settled', data: { why: 'given-up', by: owner, via: null } })
  given(...running, failed(), { type: 'dialog.continued', at: 7, data: { by: owner, via: null } })
    .when(settle)
    .thenRefused('nothing_to_continue')
})

test('a finished generation records words, calls and questions in their order, and output without blank words', () => {
  const finish = (text: string | null): DialogCommand => ({
    type: 'finish-generation',
    at,
    model: 'm',
    usage,
    message: text === null ? null : { id: 'm2', text },
    calls: [{ call: 'c1', name: 'act', input: {}, policy: 'repeat' }],
    output: [
      { type: 'words', text: 'Hello', phase: 'commentary' },
      { type: 'words', text: 'you' },
      { type: 'call', call: 'c1', name: 'act', input: {} } as never,
    ],
    questions: [],
    promptTokens: 7,
  })
  const generation = (output: object[]) => ({
    type: 'generation.finished',
    data: { turn: 1, generation: 1, model: 'm', usage, promptTokens: 7, output },
  })
  const call = { type: 'tool.called', data: { call: 'c1', turn: 1, name: 'act', input: {}, policy: 'repeat', cause } }
  const output = [
    { type: 'words', chars: 5, phase: 'commentary' },
    { type: 'words', chars: 3 },
    { type: 'call', call: 'c1' },
  ]
  const message = { type: 'message.said', data: { message: 'm2', by: agent, text: 'Helloyou', turn: 1, via: null } }
  const expected = [generation(output), message, call]
  given(...running)
    .when(finish('Helloyou'))
    .then(...expected)
  for (const text of [' \n', null])
    given(...running)
      .when(finish(text))
      .then(generation([{ type: 'call', call: 'c1' }]), call)
})

test('an agent titles a dialog unless a person did', () => {
  const finish = (title: string): DialogCommand => ({
    type: 'finish-generation',
    at,
    model: null,
    usage,
    message: null,
    calls: [],
    questions: [],
    title,
  })
  given(...running)
    .when(finish('  A title '))
    .thenTypes('generation.finished', 'dialog.titled')
  given(...running)
    .when(finish(' '))
    .thenTypes('generation.finished')
  given(...running, { type: 'dialog.titled', at: 4, data: { title: 'Mine', by: 'human' } })
    .when(finish('A title'))
    .thenTypes('generation.finished')
  given(...running)
    .when(finish('x'.repeat(dialogLimits.titleChars + 1)))
    .thenTypes('generation.finished', 'dialog.titled')
})

test('a failed turn says whether another try makes sense and until when others wait', () => {
  const fail = (more: object) => given(...running).when({ type: 'fail-turn', at, code: 'model_unreachable', details: {}, ...more })
  const data = { turn: 1, code: 'model_unreachable', details: {} }
  fail({}).then({ type: 'turn.failed', data })
  fail({ seen: 3, spent: { tokens: 1, money: 2 }, isFinal: true, replyDueAt: 99 }).then({
    type: 'turn.failed',
    data: { ...data, seen: 3, spent: { tokens: 1, money: 2 }, isFinal: true, replyDueAt: 99 },
  })
})

test('a stopped turn closes running calls, and leaves those that wait for a person or for another dialog', () => {
  const calls = [called('runs'), called('waits'), called('asks'), called('never'), called('approved')]
  given(
    ...running,
    ...calls,
    asked('q1', { call: 'waits' }),
    tellaskMade('t1', 'asks'),
    asked('q2', { call: 'approved', purpose: 'approval', approval }),
    { type: 'question.answered', at: 6, data: { question: 'q2', answers: {}, by: owner, via: null, decision: 'once' } },
    { type: 'tool.started', at: 7, data: { call: 'approved' } },
  )
    .when({
      type: 'stop-turn',
      at,
      text: ' ',
      seen: 4,
      unstarted: ['never'],
      held: { by: 'mia', dialog: 'd1' },
      spent: { tokens: 1, money: 0 },
    })
    .then(
      ...[
        ['runs', true],
        ['never', false],
        ['approved', true],
      ].map(([call, hasRun]) => ({
        type: 'tool.returned',
        data: { call, ok: false, output: dialogTexts.en.callStopped('mia', hasRun as boolean) },
      })),
      {
        type: 'turn.stopped',
        data: { turn: 1, text: null, seen: 4, held: { by: 'mia', dialog: 'd1' }, spent: { tokens: 1, money: 0 } },
      },
    )
})

test('a tool is started once', () => {
  given(...running, called('c1'))
    .when({ type: 'start-tool', at, call: 'c1' })
    .then({ type: 'tool.started', data: { call: 'c1' } })
  given(...running, called('c1'), { type: 'tool.started', at: 5, data: { call: 'c1' } })
    .when({ type: 'start-tool', at, call: 'c1' })
    .thenTypes()
  given(...running)
    .when({ type: 'start-tool', at, call: 'c1' })
    .thenRefused('turn_over')
})

test('a turn does not start while the dialog is stopped, unless it only answers a person', () => {
  const latch: DialogEvent = { type: 'latch.set', at: 2, data: { by: owner, via: null } }
  const hold = { by: 'mia', dialog: 'd1' }
  given(opened(), latch, said()).when({ type: 'start-turn', at }).thenRefused('turn_over')
  given(opened(), latch, said())
    .when({ type: 'start-turn', at, alone: hold })
    .then({ type: 'turn.started', data: { turn: 1, cause, alone: hold } })
  given(opened()).when({ type: 'start-turn', at }).thenRefused('turn_over')
  given(...running)
    .when({ type: 'start-turn', at })
    .thenTypes()
})

test('a dialog is held where a turn is due and none runs, once', () => {
  const hold = { by: 'mia', dialog: 'd1' }
  const command: DialogCommand = { type: 'hold-dialog', at, hold }
  given(opened(), said()).when(command).then({ type: 'dialog.held', data: hold })
  given(opened(), said(), { type: 'dialog.held', at: 3, data: hold }).when(command).thenTypes()
  given(opened()).when(command).thenTypes()
  given(...running)
    .when(command)
    .thenTypes()
})

test('the task document is read once for each change', () => {
  const read: DialogCommand = { type: 'read-taskdoc', at, role: 'guest', change: 'h1' }
  given(opened())
    .when(read)
    .then({ type: 'taskdoc.read', data: { role: 'guest', change: 'h1' } })
  given(opened(), { type: 'taskdoc.read', at: 3, data: { role: 'guest', change: 'h1' } })
    .when(read)
    .thenTypes()
})
