import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalLimits } from './approval.ts'
import type { DialogEvent } from './dialog-events.ts'
import { dialogLimits, type DialogState, getStatus, hasUnreadWork, isUnblocked, needsTurn, recentCrashes } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { failureTimer, followUps, readTimerKey } from './follow-ups.ts'
import { limitAnswer } from './limit-facts.ts'
import { askHuman, diligenceAnswer } from './question.ts'
import {
  agent,
  approval,
  asked,
  budget,
  called,
  failed,
  finished,
  fold,
  generations,
  guest,
  opened,
  openedAside,
  owner,
  said,
  started,
  tellaskMade,
  tellaskReceived,
} from './test/dialog-facts.ts'

const running = [opened(), said(), started()] as const
const answered = (question: string, answers: Record<string, string> = { name: 'x' }, at = 7): DialogEvent => ({
  type: 'question.answered',
  at,
  data: { question, answers, by: owner, via: 'web' },
})
const cancelled = (question: string, why: 'covered' | 'mind-cleared' | null = null): DialogEvent => ({
  type: 'question.cancelled',
  at: 7,
  data: { question, reason: null, why, by: agent },
})
const expired = (question: string): DialogEvent => ({ type: 'question.expired', at: 7, data: { question } })
const continued: DialogEvent = { type: 'dialog.continued', at: 8, data: { by: owner, via: null } }
const latch: DialogEvent = { type: 'latch.set', at: 7, data: { by: owner, via: 'web' } }
const lifted: DialogEvent = { type: 'latch.lifted', at: 8, data: { by: owner, via: null } }
const generated = (generation: number, more: object = {}): DialogEvent => ({
  type: 'generation.finished',
  at: 4,
  data: { turn: 1, generation, model: null, usage: { inputTokens: null, outputTokens: null }, ...more },
})

test('an answer to the last open question clears a failure and begins a turn', () => {
  const waiting = [...running, asked('q1'), failed({ seen: 3 })]
  assert.equal(getStatus(fold(...waiting)), 'failed')
  const state = fold(...waiting, answered('q1'))
  assert.deepEqual([state.failure, state.rest, needsTurn(state), getStatus(state)], [null, 'ready', true, 'working'])
})

test('an answer while another question is open is kept until that one is closed', () => {
  const waiting = [...running, asked('q1'), asked('q2'), finished(5)]
  assert.equal(getStatus(fold(...waiting, answered('q1'))), 'waiting')
  assert.equal(getStatus(fold(...waiting, answered('q1'), answered('q2'))), 'working')
})

test('a question that expires begins a turn of a dialog at rest, but revives none that was stopped or failed', () => {
  assert.equal(needsTurn(fold(...running, asked('q1'), finished(4), expired('q1'))), true)
  const state = fold(...running, asked('q1'), failed({ seen: 4 }), expired('q1'))
  assert.deepEqual([state.rest, state.failure?.code, needsTurn(state)], ['failed', 'model_unreachable', false])
})

test('the end of a question is recorded with person, surface, time and outcome', () => {
  const end = (event: DialogEvent) => fold(...running, asked('q1'), event).closed.q1?.end
  assert.deepEqual(end(answered('q1')), { outcome: 'answered', at: 7, by: 'mia', via: 'web', answers: { name: 'x' }, reason: null })
  const approvalEnd: DialogEvent = {
    type: 'question.answered',
    at: 7,
    data: { question: 'q1', answers: {}, by: owner, via: null, decision: 'deny', note: 'no' },
  }
  assert.deepEqual(end(approvalEnd), {
    outcome: 'answered',
    at: 7,
    by: 'mia',
    via: null,
    answers: {},
    reason: null,
    decision: 'deny',
    note: 'no',
  })
  assert.deepEqual(end({ type: 'question.declined', at: 7, data: { question: 'q1', by: owner, via: 'web', reason: 'private' } }), {
    outcome: 'declined',
    at: 7,
    by: 'mia',
    via: 'web',
    answers: null,
    reason: 'private',
  })
  assert.deepEqual(end(cancelled('q1')), { outcome: 'cancelled', at: 7, by: 'ada', via: null, answers: null, reason: null })
  assert.deepEqual(end(cancelled('q1', 'mind-cleared')), {
    outcome: 'cancelled',
    at: 7,
    by: 'ada',
    via: null,
    answers: null,
    reason: null,
    why: 'mind-cleared',
  })
  assert.deepEqual(end(expired('q1')), { outcome: 'expired', at: 7, by: null, via: null, answers: null, reason: null })
})

test('the latest closed questions are kept, and older ones only while their call has no result', () => {
  const count = dialogLimits.closedQuestions
  const names = Array.from({ length: count + 1 }, (_, index) => `q${index}`)
  const close = (first: object) =>
    fold(...running, called('c1'), ...names.flatMap((name, index) => [asked(name, index === 0 ? first : {}), answered(name)]))
  assert.deepEqual(Object.keys(close({}).closed), names.slice(1))
  assert.deepEqual(Object.keys(close({ call: 'c1', purpose: 'approval', approval }).closed), names)
})

test('a closed approval keeps the start of what was shown, and says that it was cut', () => {
  const shown = (length: number) => {
    const text = 'x'.repeat(length)
    const state = fold(
      ...running,
      called('c1'),
      asked('q1', { call: 'c1', purpose: 'approval', approval: { ...approval, shown: { ...approval.shown, text } } }),
      answered('q1'),
    )
    const { shown: kept } = state.closed.q1?.asked.approval ?? approval
    return [kept.text.length, kept.isCut]
  }
  const { closedShownChars } = approvalLimits
  assert.deepEqual(shown(closedShownChars), [closedShownChars, undefined])
  assert.deepEqual(shown(closedShownChars + 1), [closedShownChars, true])
})

test('the answer to a question of the agent is the result of its call; a decision about another call leaves it open', () => {
  const close = (name: string) => Object.keys(fold(...running, called('c1', { name }), asked('q1', { call: 'c1' }), answered('q1')).calls)
  assert.deepEqual([close(askHuman), close('act')], [[], ['c1']])
})

test('a decided call runs although other questions are open', () => {
  const waiting = [...running, called('c1'), asked('q1', { call: 'c1', purpose: 'approval', approval }), asked('q2'), finished(6)]
  assert.equal(needsTurn(fold(...waiting)), false)
  assert.equal(needsTurn(fold(...waiting, answered('q1'))), true)
})

test('a limit that is lifted lets work continue; one that is left fails the turn with its reason', () => {
  const end = (event: DialogEvent, limit = budget) => {
    const state = fold(...running, asked('q1', { purpose: 'limit', limit }), finished(4), event)
    return [state.rest, state.failure?.code ?? null, needsTurn(state)]
  }
  const choose = (decision: string) => answered('q1', { [limitAnswer.item]: decision })
  assert.deepEqual(end(choose(limitAnswer.half)), ['ready', null, true])
  assert.deepEqual(end(choose(limitAnswer.double)), ['ready', null, true])
  assert.deepEqual(end(choose(limitAnswer.goOn), generations), ['ready', null, true])
  assert.deepEqual(end(choose(limitAnswer.leave)), ['failed', 'budget_spent', false])
  assert.deepEqual(end(choose(limitAnswer.leave), generations), ['failed', 'too_many_generations', false])
  assert.deepEqual(end(cancelled('q1')), ['failed', 'budget_spent', false])
  assert.deepEqual(end(cancelled('q1', 'covered')), ['ready', null, true])
  assert.deepEqual(end(expired('q1')), ['ready', null, true])
})

test('an answer about diligence continues only where it says so, and a notice never does', () => {
  const end = (purpose: 'diligence' | 'notice', decision: string) =>
    needsTurn(fold(...running, asked('q1', { purpose }), finished(4), answered('q1', { [diligenceAnswer.item]: decision })))
  assert.deepEqual(
    [end('diligence', diligenceAnswer.goOn), end('diligence', 'anything else'), end('notice', diligenceAnswer.goOn)],
    [true, false, false],
  )
})

test('questions that nothing waits for do not block, all others do', () => {
  const blocked = (more: object) => !isUnblocked(fold(...running, asked('q1', more)))
  assert.deepEqual(
    [blocked({ purpose: 'diligence' }), blocked({ purpose: 'notice' }), blocked({}), blocked({ purpose: 'limit' })],
    [false, false, true, true],
  )
})

test('while a dialog answers a question asked back, only what it asked for since then blocks it', () => {
  const back = tellaskReceived('b1', { mode: 'back', from: 'd2' })
  const state = fold(...running, called('c1'), tellaskMade('t1'), back)
  assert.equal(isUnblocked(fold(...running, called('c1'), tellaskMade('t1'))), false)
  assert.equal(isUnblocked(state), true)
  assert.equal(isUnblocked(evolveDialog(state, asked('q1'))), false)
  assert.equal(isUnblocked(evolveDialog(state, tellaskMade('t2', 'c2'))), false)
})

test('a dialog that was asked back works although its own request is out, and is delegated again after its reply', () => {
  const waiting = [...running, called('c1'), tellaskMade('t1'), finished(5)]
  assert.equal(getStatus(fold(...waiting)), 'delegated')
  const back = tellaskReceived('b1', { mode: 'back', from: 'd2' })
  assert.equal(getStatus(fold(...waiting, back)), 'working')
  const replied: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 'b1', text: 'Yes' } }
  assert.equal(getStatus(fold(...waiting, back, started(2), replied, finished(9, 2))), 'delegated')
})

test('the status of a dialog follows its most important fact', () => {
  assert.equal(getStatus(fold(opened())), 'ready')
  assert.equal(getStatus(fold(opened(), said())), 'working')
  assert.equal(getStatus(fold(...running)), 'working')
  assert.equal(getStatus(fold(...running, { type: 'stop.requested', at: 4, data: { by: owner, via: null } })), 'stopping')
  assert.equal(getStatus(fold(...running, asked('q1'), finished(4))), 'waiting')
  assert.equal(getStatus(fold(...running, failed())), 'failed')
  assert.equal(getStatus(fold(...running, { type: 'turn.stopped', at: 6, data: { turn: 1, text: null } })), 'stopped')
  assert.equal(getStatus(fold(opened(), latch)), 'stopped')
  assert.equal(getStatus(fold(opened(), { type: 'dialog.held', at: 3, data: { by: 'mia', dialog: null } })), 'stopped')
  assert.equal(getStatus(fold(openedAside(), { type: 'dialog.died', at: 3, data: { by: owner, note: null } })), 'dead')
})

test('a latch stops work and keeps answers to people going', () => {
  const stopped = [opened(), latch]
  assert.equal(needsTurn(fold(...stopped)), false)
  assert.equal(needsTurn(fold(...stopped, tellaskReceived('t1'))), false)
  assert.equal(needsTurn(fold(...stopped, said())), true)
  assert.equal(needsTurn(fold(...stopped, tellaskReceived('t1'), lifted)), true)
})

test('a latch that is set while a turn runs asks it to stop, one that is set at rest does not', () => {
  assert.deepEqual(fold(...running, latch).latch, { by: 'mia', via: 'web', at: 7 })
  assert.equal(fold(...running, latch).stopRequested, true)
  assert.equal(fold(opened(), latch).stopRequested, false)
  assert.equal(fold(...running, latch, lifted).stopRequested, false)
})

test('held work starts again when the latch is lifted or the dialog is continued', () => {
  const hold: DialogEvent = { type: 'dialog.held', at: 4, data: { by: 'mia', dialog: 'd0' } }
  const held = fold(opened(), hold)
  assert.deepEqual(held.held, { by: 'mia', dialog: 'd0', at: 4 })
  for (const event of [continued, lifted]) {
    const state = evolveDialog(held, event)
    assert.deepEqual([state.held, state.inputSeq, state.workSeq, needsTurn(state)], [null, 3, 3, true])
  }
  assert.equal(needsTurn(fold(opened(), latch, lifted)), false, 'without held work nothing starts')
})

test('a failed turn says when, why, whether it is final and until when others wait', () => {
  assert.deepEqual(fold(...running, failed({ isFinal: true, replyDueAt: 99, seen: 3 })).failure, {
    code: 'model_unreachable',
    details: {},
    at: 6,
    retryAt: null,
    isFinal: true,
    replyDueAt: 99,
  })
  assert.deepEqual(fold(...running, failed()).failure, { code: 'model_unreachable', details: {}, at: 6, retryAt: null })
})

test('a message that a failed turn had not read begins the next turn', () => {
  const late = [opened(), said(), started(), said({ message: 'm2' })]
  const state = fold(...late, failed({ seen: 3 }))
  assert.deepEqual([state.rest, state.failure, needsTurn(state)], ['ready', null, true])
  assert.equal(getStatus(fold(...late, failed({ seen: 4 }))), 'failed')
})

test('a settled failure is marked as told, and as given up only by a person', () => {
  const settle = (why: 'given-up' | 'timeout') => {
    const { isTold, isGivenUp } = fold(...running, failed(), { type: 'failure.settled', at: 8, data: { why } }).failure ?? {}
    return [isTold, isGivenUp]
  }
  assert.deepEqual(
    [settle('given-up'), settle('timeout')],
    [
      [true, true],
      [true, undefined],
    ],
  )
})

test('failed generations of a turn are counted until one is finished', () => {
  const fail: DialogEvent = { type: 'generation.failed', at: 4, data: { turn: 1, code: 'model_unreachable', details: {}, retryAt: 50 } }
  const state = fold(...running, fail, fail)
  assert.deepEqual([state.turn?.failures, state.failure?.retryAt], [2, 50])
  const after = evolveDialog(state, generated(1, { seen: 3 }))
  assert.deepEqual(after.turn && [after.turn.failures, after.turn.generations, after.turn.seen, after.turn.generatedSeq], [0, 1, 3, 6])
  assert.deepEqual([after.failure, after.knownSeq], [null, 3])
})

test('tokens and money of finished, failed, stopped and cut work are added up', () => {
  const spent = { tokens: 3, money: 2 }
  const state = fold(
    ...running,
    generated(1, { spent }),
    { type: 'generation.failed', at: 4, data: { turn: 1, code: 'model_unreachable', details: {}, retryAt: null, spent } },
    { type: 'turn.cut', at: 5, data: { turn: 1, why: 'crash', spent } },
    { type: 'turn.cut', at: 5, data: { turn: 1, why: 'shutdown', spent } },
    failed({ spent }),
    said({}, 7),
    started(2),
    { type: 'turn.stopped', at: 8, data: { turn: 2, text: null, spent } },
  )
  assert.deepEqual(state.spent, { tokens: 18, money: 12 })
})

test('crashes of a turn are counted within their window, and a shutdown is none', () => {
  const cut = (at: number, why: 'crash' | 'shutdown' = 'crash'): DialogEvent => ({ type: 'turn.cut', at, data: { turn: 1, why } })
  const state = fold(...running, cut(10), cut(20, 'shutdown'), cut(30), cut(40), cut(50))
  assert.deepEqual(state.crashes, [30, 40, 50])
  const { crashWindowMs } = dialogLimits
  assert.deepEqual(
    [recentCrashes(state, 50), recentCrashes(state, 30 + crashWindowMs), recentCrashes(state, 31 + crashWindowMs)],
    [3, 3, 2],
  )
  assert.deepEqual(evolveDialog(state, finished(3)).crashes, [])
  assert.deepEqual(evolveDialog(state, generated(1)).crashes, [])
})

test('messages that wait are counted until a turn has read them', () => {
  const three = [opened(), said(), said(), said()]
  assert.equal(fold(...three).waitingMessages, 3)
  assert.equal(fold(...three, started(), finished(3)).waitingMessages, 1)
  assert.equal(fold(...three, started(), finished(4)).waitingMessages, 0)
})

test('requests of others are worked on one after the other, questions asked back at once', () => {
  const active = (state: DialogState) => state.assignments.filter(({ isActive }) => isActive).map(({ tellask }) => tellask)
  const state = fold(openedAside(), tellaskReceived('t1'), tellaskReceived('t2'), tellaskReceived('b1', { mode: 'back' }))
  assert.deepEqual(active(state), ['t1', 'b1'])
  const reply = (tellask: string): DialogEvent => ({ type: 'reply.given', at: 8, data: { tellask, text: '' } })
  const next = evolveDialog(state, reply('t1'))
  assert.deepEqual(active(next), ['t2', 'b1'])
  assert.deepEqual([next.workSeq, next.inputSeq], [5, 5])
  assert.deepEqual(active(evolveDialog(next, reply('b1'))), ['t2'])
})

test('the next request revives a dialog that had failed, once the one that failed has its reply', () => {
  const broken = [openedAside(), tellaskReceived('t1'), started(), failed({ seen: 3 })]
  const reply: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 't1', text: '' } }
  assert.equal(fold(...broken, tellaskReceived('t2')).rest, 'failed')
  assert.deepEqual(
    [fold(...broken, tellaskReceived('t2'), reply).rest, fold(...broken, tellaskReceived('t2'), reply).failure],
    ['ready', null],
  )
  assert.equal(fold(...broken, reply).rest, 'failed')
  assert.equal(fold(...broken, reply, tellaskReceived('t2')).rest, 'ready')
  assert.equal(fold(...broken, tellaskReceived('b1', { mode: 'back' })).rest, 'failed')
})

test('a call gets its result with the last of its replies', () => {
  const reply = (tellask: string): DialogEvent => ({ type: 'reply.received', at: 8, data: { tellask, outcome: 'replied', text: tellask } })
  const state = fold(...running, called('c1'), tellaskMade('t1'), tellaskMade('t2'), finished(6), reply('t1'))
  assert.deepEqual([Object.keys(state.calls), state.partReplies, needsTurn(state)], [['c1'], { c1: [{ ok: true, text: 't1' }] }, false])
  const last = evolveDialog(state, reply('t2'))
  assert.deepEqual([Object.keys(last.calls), last.partReplies, needsTurn(last)], [[], {}, true])
  assert.equal(hasUnreadWork(last), true)
})

test('a side dialog without a request is not woken by a reply to work that it has delivered', () => {
  const reply: DialogEvent = { type: 'reply.received', at: 9, data: { tellask: 'x1', outcome: 'replied', text: '' } }
  const given: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 't1', text: '' } }
  const asking = [openedAside(), tellaskReceived('t1'), started(), called('c1')]
  assert.equal(needsTurn(fold(...asking, tellaskMade('x1'), given, finished(6), reply)), false)
  assert.equal(needsTurn(fold(...asking, given, tellaskMade('x1'), finished(6), reply)), true)
  assert.equal(
    needsTurn(fold(...asking, tellaskMade('x1'), given, finished(6), tellaskReceived('t2'), started(2), finished(9, 2), reply)),
    true,
  )
})

test('an alone turn leaves unread work and owed replies for the time after the stop', () => {
  const hold = { by: 'mia', dialog: 'd0' }
  const alone = started(1, { alone: hold })
  assert.deepEqual(fold(opened(), said(), alone, finished(3)).held, null)
  assert.deepEqual(fold(openedAside(), tellaskReceived('t1'), said(), alone, finished(4)).held, { ...hold, at: 6 })
  const read = [openedAside(), tellaskReceived('t1'), started(), finished(3), said(), started(2, { alone: hold })]
  assert.deepEqual(fold(...read, finished(6, 2)).held, { ...hold, at: 6 }, 'it owes a reply')
  assert.deepEqual(fold(...read, asked('q1'), finished(6, 2)).held, null, 'the reply waits for an answer')
  assert.deepEqual(fold(openedAside(), tellaskReceived('t1'), said(), started(), finished(4)).held, null)
})

test('notes of the runtime count as pushes only where they are about diligence', () => {
  const pushes = (event: DialogEvent) => fold(opened(), event).pushes
  assert.equal(pushes({ type: 'prompt.added', at: 3, data: { why: 'diligence', text: '' } }), 1)
  assert.equal(pushes({ type: 'prompt.added', at: 3, data: { why: 'reply', text: '' } }), 0)
  const health = fold(opened(), { type: 'prompt.added', at: 3, data: { why: 'health', text: '' } })
  assert.deepEqual([health.pushes, health.inputSeq], [0, 2])
  assert.equal(pushes({ type: 'prompt.told', at: 3, data: { block: 'diligence', name: null, text: '' } }), 1)
  assert.equal(pushes({ type: 'prompt.noted', at: 3, data: { notes: [] } }), 0)
})

test('pushes are switched and counted from zero by a person', () => {
  const change = (what: 'on' | 'off' | 'refill'): DialogEvent => ({
    type: 'pushes.changed',
    at: 4,
    data: { change: what, by: owner, via: null },
  })
  const push: DialogEvent = { type: 'prompt.added', at: 3, data: { why: 'diligence', text: '' } }
  assert.deepEqual([fold(opened(), push, change('off')).arePushesOff, fold(opened(), push, change('off')).pushes], [true, 1])
  assert.equal(fold(opened(), change('off'), change('on')).arePushesOff, false)
  assert.deepEqual([fold(opened(), push, change('refill')).pushes, fold(opened(), change('off'), change('refill')).arePushesOff], [0, true])
})

test('a fresh start that a person asks for revives a dialog that failed or was stopped, and begins no turn of a ready one', () => {
  const requested: DialogEvent = { type: 'course.requested', at: 8, data: { by: owner, via: null } }
  assert.equal(needsTurn(fold(opened(), requested)), false)
  assert.equal(needsTurn(fold(...running, failed({ seen: 3 }), requested)), true)
})

test('reminders, sessions and notices of budgets are kept as they were given', () => {
  const add = (reminder: string, position: number): DialogEvent => ({
    type: 'reminder.added',
    at: 3,
    data: { reminder, text: `text of ${reminder}`, position },
  })
  const names = (state: DialogState) => state.reminders.map(({ reminder, text }) => `${reminder}: ${text}`)
  const two = [opened(), add('r1', 0), add('r2', 0)]
  assert.deepEqual(names(fold(...two)), ['r2: text of r2', 'r1: text of r1'])
  assert.deepEqual(names(fold(...two, { type: 'reminder.updated', at: 4, data: { reminder: 'r1', text: 'new' } })), [
    'r2: text of r2',
    'r1: new',
  ])
  assert.deepEqual(names(fold(...two, { type: 'reminder.deleted', at: 4, data: { reminder: 'r2' } })), ['r1: text of r1'])
  const registered: DialogEvent = { type: 'session.registered', at: 3, data: { agent: 'bob', session: 's', dialog: 'd2' } }
  assert.deepEqual(fold(opened(), registered).sessions, { 'bob!s': 'd2' })
  assert.deepEqual(fold(opened(), registered, { type: 'session.dropped', at: 4, data: { agent: 'bob', session: 's' } }).sessions, {})
  const notice = (limit: number): DialogEvent => ({ type: 'budget.noticed', at: 3, data: { key: 'k', limit, percent: 80 } })
  const notices = Array.from({ length: dialogLimits.budgetNotices + 1 }, (_, index) => notice(index))
  assert.deepEqual(
    fold(opened(), ...notices).budgetNotices,
    notices.slice(1).map((_, index) => `k ${index + 1}`),
  )
})

test('people who tried to answer are remembered for each question, the latest of them', () => {
  const refused = (id: number): DialogEvent => ({
    type: 'answer.refused',
    at: 6,
    data: { question: 'q1', by: { ...guest, id: `telegram:${id}` }, via: null },
  })
  const all = Array.from({ length: dialogLimits.refusedAnswers + 1 }, (_, index) => refused(index))
  const ids = fold(...running, asked('q1'), ...all).questions.q1?.refusedIds
  assert.deepEqual(
    [ids?.length, ids?.[0], ids?.at(-1)],
    [dialogLimits.refusedAnswers, 'telegram:1', `telegram:${dialogLimits.refusedAnswers}`],
  )
})

test('a question that is asked again about a call decides about one more run', () => {
  const begun: DialogEvent = { type: 'tool.started', at: 5, data: { call: 'c1' } }
  assert.equal(fold(...running, called('c1'), begun).calls.c1?.isStarted, true)
  const again = fold(...running, called('c1'), begun, asked('q1', { call: 'c1', purpose: 'approval', approval }))
  assert.deepEqual([again.calls.c1?.isStarted, again.calls.c1?.question], [undefined, 'q1'])
})

test('timers: a question with an end has one until it is closed, unless its time has come', () => {
  const after = fold(...running, asked('q1', { expiresAt: 99 }))
  assert.deepEqual(followUps('d1', [asked('q1', { expiresAt: 99 })], after), {
    wake: [{ kind: 'timer', key: 'd1/q1', at: 99 }],
    cancel: [],
  })
  assert.deepEqual(followUps('d1', [asked('q1')], after), { wake: [], cancel: [] })
  const declined: DialogEvent = { type: 'question.declined', at: 7, data: { question: 'q1', by: owner, via: null, reason: null } }
  for (const end of [answered('q1'), declined, cancelled('q1')])
    assert.deepEqual(followUps('d1', [end], evolveDialog(after, end)).cancel, [{ kind: 'timer', key: 'd1/q1' }])
  assert.deepEqual(followUps('d1', [expired('q1')], evolveDialog(after, expired('q1'))).cancel, [])
})

test('timers: agents that wait for a failed dialog are told at their time, unless it has gone on', () => {
  const event = failed({ replyDueAt: 99, seen: 3 })
  assert.deepEqual(followUps('d1', [event], fold(...running, event)).wake, [{ kind: 'timer', key: `d1/${failureTimer}`, at: 99 }])
  const late = fold(...running, said(), event)
  assert.deepEqual(followUps('d1', [event], late).wake, [{ kind: 'turn', key: 'd1', at: 6 }])
  assert.deepEqual(followUps('d1', [failed({ seen: 3 })], fold(...running, failed({ seen: 3 }))).wake, [])
  assert.deepEqual(readTimerKey('d1/q/1'), { dialog: 'd1', question: 'q/1' })
})

test('turns: what a person or another dialog does wakes a turn at its time, what the agent does wakes none', () => {
  const woken = (before: readonly DialogEvent[], event: DialogEvent) =>
    followUps('d1', [event], fold(...before, event)).wake.filter(({ kind }) => kind === 'turn')
  const turn = (at: number) => [{ kind: 'turn', key: 'd1', at }]
  const rest = [opened(), said(), started(), finished(3)]
  assert.deepEqual(woken([opened()], said()), turn(2))
  assert.deepEqual(woken(running, said({ by: agent, turn: 1 })), [])
  assert.deepEqual(woken(rest, tellaskReceived('t1')), turn(5))
  assert.deepEqual(woken(rest, continued), turn(8))
  assert.deepEqual(woken([opened(), said(), started(), said()], finished(3)), turn(6))
  assert.deepEqual(woken(running, finished(3)), [])
  assert.deepEqual(
    woken([opened(), said(), started(), said()], { type: 'turn.stopped', at: 6, data: { turn: 1, text: null, seen: 3 } }),
    turn(6),
  )
  assert.deepEqual(woken(running, { type: 'stop.requested', at: 4, data: { by: owner, via: null } }), turn(4))
  assert.deepEqual(woken(running, called('c1')), [])
  const course = (why: 'first' | 'asked'): DialogEvent => ({ type: 'course.started', at: 9, data: { course: 2, why, prompt: '' } })
  assert.deepEqual(woken(running, course('first')), [])
  assert.deepEqual(woken(running, course('asked')), turn(9))
  assert.deepEqual(woken([opened(), said()], course('first')), turn(9))
})

test('an open call has the gate of its event, and none where the event has none', () => {
  const gate = { decision: 'allow' as const, why: 'rule' as const }
  const paid = (more: object): DialogEvent => ({
    type: 'tool.called',
    at: 4,
    data: { turn: 1, call: 'c1', name: 'pay', input: { a: 1 }, policy: 'ask', ...more },
  })
  const open = { call: 'c1', turn: 1, name: 'pay', input: { a: 1 }, policy: 'ask', question: null }
  assert.deepEqual(fold(...running, paid({})).calls, { c1: open })
  assert.deepEqual(fold(...running, paid({ gate })).calls, { c1: { ...open, gate } })
})
