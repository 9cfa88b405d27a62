import { dialogTexts } from '../../words/index.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import { firstWords } from './decide-talk.ts'
import { decideEmergency, type EmergencyCommand } from './decide-emergency.ts'
import type { EmergencyEvent } from './emergency-events.ts'
import { evolveEmergency, initialEmergency } from './emergency-state.ts'
import type { DialogEvent, Participant, PushChange } from './dialog-events.ts'
import { evolveDialog } from './evolve-dialog.ts'
import type { Question } from './question.ts'
import { dialogLimits, initialDialog, needsTurn, recentCrashes, getStatus } from './dialog-state.ts'

const { given } = deciderSpecification({ initial: initialDialog, decide: decideDialog, evolve: evolveDialog })

const human: Participant = { kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }
const ada: Participant = { kind: 'agent', name: 'ada' }
const ask: Question = {
  text: 'Two details',
  items: [
    {
      id: 'size',
      text: 'Size?',
      kind: 'choice',
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
    { id: 'name', text: 'Name?', kind: 'text' },
  ],
}
const opened: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: human, language: 'en' } }
const said = (text = 'hi'): DialogEvent => ({
  type: 'message.said',
  at: 2,
  data: { message: 'm1', by: human, text, turn: null, via: 'web' },
})
const titled: DialogEvent = { type: 'dialog.titled', at: 2, data: { title: 'hi', by: 'first-words' } }
const started: DialogEvent = { type: 'turn.started', at: 3, data: { turn: 1 } }
const audience = { kind: 'owner' } as const
const asked: DialogEvent = {
  type: 'question.asked',
  at: 4,
  data: { question: 'q1', turn: 1, call: null, by: ada, ask, expiresAt: null, audience },
}
const finished = (seen: number): DialogEvent => ({ type: 'turn.finished', at: 5, data: { turn: 1, seen } })
const waiting = [opened, said(), titled, started, asked, finished(3)] as const
const at = 9

test('open', () => {
  given().when({ type: 'open-dialog', at, agent: 'ada', by: human, language: 'en' }).thenTypes('dialog.opened')
  given()
    .when({ type: 'open-dialog', at, agent: 'ada', by: human, language: 'en', title: ' My title ' })
    .then(
      { type: 'dialog.opened', data: { agent: 'ada', by: human, language: 'en' } },
      { type: 'dialog.titled', data: { title: 'My title', by: 'human' } },
    )
  given(opened).when({ type: 'open-dialog', at, agent: 'ada', by: human, language: 'en' }).thenRefused('dialog_exists')
  given()
    .when({ type: 'open-dialog', at, agent: 'ada', by: human, language: 'en', title: 'x'.repeat(201) })
    .thenRefused('text_too_long')
})

test('say', () => {
  given(opened)
    .when({ type: 'say', at, message: 'm1', text: 'hello there', by: human, via: 'web' })
    .then(
      { type: 'message.said', data: { message: 'm1', by: human, text: 'hello there', turn: null, via: 'web' } },
      { type: 'dialog.titled', data: { title: 'hello there', by: 'first-words' } },
    )
  given(opened, said(), titled).when({ type: 'say', at, message: 'm2', text: 'more', by: human }).thenTypes('message.said')
  given().when({ type: 'say', at, message: 'm1', text: 'hello', by: human }).thenRefused('dialog_not_found')
  given(opened).when({ type: 'say', at, message: 'm1', text: ' \n', by: human }).thenRefused('empty_text')
  given(opened)
    .when({ type: 'say', at, message: 'm1', text: 'x'.repeat(dialogLimits.textChars + 1), by: human })
    .thenRefused('text_too_long')
  const flood = Array.from({ length: dialogLimits.waitingMessages }, () => said())
  given(opened, ...flood)
    .when({ type: 'say', at, message: 'm1', text: 'x', by: human })
    .thenRefused('too_many_waiting')
})

test('a question has four ends, and each is told apart', () => {
  const answers = { size: 's', name: 'Mia' }
  given(...waiting)
    .when({ type: 'answer-question', at, question: 'q1', answers, by: human, via: 'web' })
    .then({ type: 'question.answered', data: { question: 'q1', answers, by: human, via: 'web' } })
  given(...waiting)
    .when({ type: 'decline-question', at, question: 'q1', reason: 'private', by: human })
    .then({ type: 'question.declined', data: { question: 'q1', reason: 'private', by: human, via: null } })
  given(...waiting)
    .when({ type: 'cancel-question', at, question: 'q1', by: ada })
    .then({ type: 'question.cancelled', data: { question: 'q1', reason: null, why: null, by: ada } })
  given(...waiting)
    .when({ type: 'expire-question', at, question: 'q1' })
    .then({ type: 'question.expired', data: { question: 'q1' } })
})

test('an answer must fit the question', () => {
  const answer = (answers: Record<string, string>) =>
    given(...waiting).when({ type: 'answer-question', at, question: 'q1', answers, by: human })
  answer({ size: 's' }).thenRefused('answer_missing')
  answer({ size: 's', name: '  ' }).thenRefused('answer_missing')
  answer({ size: 'xl', name: 'Mia' }).thenRefused('not_a_choice')
  answer({ size: 's', name: 'Mia', more: 'x' }).thenRefused('answer_unknown')
  answer({ size: 's', name: 'x'.repeat(20_001) }).thenRefused('text_too_long')
  answer(JSON.parse('{"size":"s","__proto__":"x"}') as Record<string, string>).thenRefused('answer_unknown')
  given(...waiting)
    .when({ type: 'answer-question', at, question: 'q2', answers: {}, by: human })
    .thenRefused('question_not_found')
})

test('the first answer wins; a later one is told who was first', () => {
  const answered: DialogEvent = {
    type: 'question.answered',
    at: 6,
    data: { question: 'q1', answers: { size: 's', name: 'M' }, by: human, via: 'web' },
  }
  given(...waiting, answered)
    .when({ type: 'answer-question', at, question: 'q1', answers: { size: 'l', name: 'N' }, by: human })
    .thenRefused('already_answered')
  given(...waiting, { type: 'question.expired', at: 6, data: { question: 'q1' } })
    .when({ type: 'answer-question', at, question: 'q1', answers: { size: 'l', name: 'N' }, by: human })
    .thenRefused('question_closed')
})

test('states in words', () => {
  const status = (...events: DialogEvent[]): string => getStatus(given(...events).state)
  assert.equal(status(opened), 'ready')
  assert.equal(status(opened, said()), 'working')
  assert.equal(status(opened, said(), started, finished(2)), 'ready')
  assert.equal(status(...waiting), 'waiting')
  assert.equal(
    status(...waiting, { type: 'question.declined', at, data: { question: 'q1', reason: null, by: human, via: null } }),
    'working',
  )
  const stop: DialogEvent = { type: 'stop.requested', at, data: { by: human, via: null } }
  assert.equal(status(opened, said(), stop), 'stopping')
  assert.equal(status(opened, said(), stop, { type: 'turn.stopped', at, data: { turn: 0, text: null } }), 'stopped')
  assert.equal(status(opened, said(), started, { type: 'turn.failed', at, data: { turn: 1, code: 'agent_failed', details: {} } }), 'failed')
})

test('stop and continue only where there is something to stop or continue', () => {
  given(opened).when({ type: 'request-stop', at, by: human }).thenRefused('nothing_to_stop')
  given(...waiting)
    .when({ type: 'request-stop', at, by: human })
    .thenRefused('nothing_to_stop')
  given(opened, said()).when({ type: 'request-stop', at, by: human }).thenTypes('stop.requested')
  given(opened, said(), { type: 'stop.requested', at, data: { by: human, via: null } })
    .when({ type: 'request-stop', at, by: human })
    .thenTypes()
  given(opened).when({ type: 'continue-dialog', at, by: human }).thenRefused('nothing_to_continue')
  given(opened, said(), started, { type: 'turn.failed', at, data: { turn: 1, code: 'agent_failed', details: {} } })
    .when({ type: 'continue-dialog', at, by: human })
    .thenTypes('dialog.continued')
})

const stopBy: DialogEvent = { type: 'latch.set', at, data: { by: human, via: null } }
const lifted: DialogEvent = { type: 'latch.lifted', at, data: { by: human, via: null } }

test('Stop latches a dialog whatever it does, once', () => {
  given(opened)
    .when({ type: 'latch-dialog', at, by: human, via: 'web' })
    .then({ type: 'latch.set', data: { by: human, via: 'web' } })
  given(...waiting)
    .when({ type: 'latch-dialog', at, by: human })
    .thenTypes('latch.set')
  given(opened, said(), started, stopBy).when({ type: 'latch-dialog', at, by: human }).thenTypes()
  assert.equal(given(opened, said(), started, stopBy).state.stopRequested, true)
  assert.equal(getStatus(given(...waiting, stopBy).state), 'stopped')
  assert.equal(given(...waiting, stopBy).state.stopRequested, false)
})

test('Continue lifts a latch, and continues a failure below it', () => {
  given(opened, stopBy).when({ type: 'continue-dialog', at, by: human }).thenTypes('latch.lifted')
  const failed: DialogEvent = { type: 'turn.failed', at, data: { turn: 1, code: 'agent_failed', details: {}, seen: 3 } }
  given(opened, said(), started, failed, stopBy)
    .when({ type: 'continue-dialog', at, by: human })
    .thenTypes('latch.lifted', 'dialog.continued')
  given(opened, stopBy, lifted).when({ type: 'continue-dialog', at, by: human }).thenRefused('nothing_to_continue')
  given(opened, stopBy).when({ type: 'lift-stop', at, by: human }).thenTypes('latch.lifted')
  given(opened).when({ type: 'lift-stop', at, by: human }).thenTypes()
  const heldHere: DialogEvent = { type: 'dialog.held', at, data: { by: 'owner', dialog: 'r' } }
  given(opened, said(), heldHere).when({ type: 'lift-stop', at, by: human }).thenTypes('dialog.continued')
})

test('given a message after the stop, when the turn stops, then it is still to be answered; one before it is not', () => {
  const stop: DialogCommand = { type: 'stop-turn', at, text: null, seen: 2, held: { by: 'owner', dialog: 'd' } }
  const end: DialogEvent = { type: 'turn.stopped', at, data: { turn: 1, text: null, seen: 2, held: { by: 'owner', dialog: 'd' } } }
  given(opened, said(), started, stopBy, said('and?')).when(stop).then({ type: end.type, data: end.data })
  const after = given(opened, said(), started, stopBy, said('and?'), end).state
  assert.deepEqual([needsTurn(after), after.waitingMessages, getStatus(after)], [true, 1, 'working'])
  given(opened, said(), started, stopBy, said('and?'), end).when({ type: 'start-turn', at }).thenRefused('turn_over')
  given(opened, said(), started, stopBy, said('and?'), end)
    .when({ type: 'start-turn', at, alone: { by: 'owner', dialog: 'd' } })
    .thenTypes('turn.started')
  const before = given(opened, said(), started, said('and?'), stopBy, end).state
  assert.deepEqual([needsTurn(before), getStatus(before)], [false, 'stopped'])
  assert.equal(needsTurn(given(opened, said(), started, said('and?'), stopBy, end, lifted).state), true, 'it is read after Continue')
})

test('given a message while a turn fails, then the next turn starts by itself; without one it waits for Continue', () => {
  const failed = (seen?: number): DialogEvent => ({
    type: 'turn.failed',
    at,
    data: { turn: 1, code: 'agent_failed', details: {}, ...(seen === undefined ? {} : { seen }) },
  })
  const late = given(opened, said(), started, said('and?'), failed(3)).state
  assert.deepEqual([needsTurn(late), getStatus(late), late.failure], [true, 'working', null])
  assert.equal(getStatus(given(opened, said(), started, said('and?'), failed(4)).state), 'failed')
  assert.equal(getStatus(given(opened, said(), started, said('and?'), failed()).state), 'failed', 'as logged by 0.1')
})

test('an answer to a person while it is stopped leaves requests and replies for after Continue', () => {
  const request: DialogEvent = {
    type: 'tellask.received',
    at,
    data: { tellask: 't1', mode: 'session', from: 'p', by: 'bob', session: 's', content: 'x', about: null },
  }
  const alone: DialogEvent = { type: 'turn.started', at, data: { turn: 1, alone: { by: 'owner', dialog: 'd' } } }
  const answered = given(opened, stopBy, request, said(), alone, { type: 'turn.finished', at, data: { turn: 1, seen: 5 } })
  assert.deepEqual([getStatus(answered.state), answered.state.held?.by], ['stopped', 'owner'])
  const after = [opened, stopBy, request, said(), alone, { type: 'turn.finished' as const, at, data: { turn: 1, seen: 5 } }]
  assert.equal(needsTurn(given(...after, lifted).state), true)
  // A request that failed before the stop is not replied to by such an answer: it continues after the stop.
  const failedEarlier = [
    opened,
    request,
    started,
    { type: 'turn.failed' as const, at, data: { turn: 1, code: 'agent_failed' as const, details: {}, seen: 3 } },
  ]
  const then = [stopBy, said(), alone, { type: 'turn.finished' as const, at, data: { turn: 1, seen: 6 } }]
  assert.equal(needsTurn(given(...failedEarlier, ...then, lifted).state), true)
  const started2: DialogEvent = { type: 'turn.started', at, data: { turn: 2 } }
  assert.equal(given(...after, lifted, started2).state.held, null)
})

test('an answer that is stopped by a second Stop is given after Continue', () => {
  const alone: DialogEvent = { type: 'turn.started', at, data: { turn: 1, alone: { by: 'owner', dialog: 'd' } } }
  const again: DialogEvent = { type: 'stop.requested', at, data: { by: human, via: null } }
  const end: DialogEvent = { type: 'turn.stopped', at, data: { turn: 1, text: null, seen: 3, held: { by: 'owner', dialog: 'd' } } }
  const events = [opened, stopBy, said(), alone, again, end]
  assert.deepEqual([getStatus(given(...events).state), needsTurn(given(...events).state)], ['stopped', false])
  assert.equal(needsTurn(given(...events, lifted).state), true)
})

test('a dialog is held only when it needs a turn, and once', () => {
  const hold = { by: 'owner', dialog: 'r' }
  given(opened, said()).when({ type: 'hold-dialog', at, hold }).then({ type: 'dialog.held', data: hold })
  given(opened, said(), { type: 'dialog.held', at, data: hold }).when({ type: 'hold-dialog', at, hold }).thenTypes()
  given(opened).when({ type: 'hold-dialog', at, hold }).thenTypes()
})

test('a stop of 0.1 ends the turn without a latch, and words revive it', () => {
  const stop: DialogEvent = { type: 'stop.requested', at, data: { by: human, via: null } }
  const end: DialogEvent = { type: 'turn.stopped', at, data: { turn: 1, text: null } }
  const { state } = given(opened, said(), started, stop, end)
  assert.deepEqual([getStatus(state), state.latch, state.held], ['stopped', null, null])
  assert.equal(getStatus(given(opened, said(), started, stop, end, said('go on')).state), 'working')
})

test('the emergency stop is set once and lifted once', () => {
  const emergency = deciderSpecification({ initial: initialEmergency, decide: decideEmergency, evolve: evolveEmergency })
  const set: EmergencyEvent = { type: 'emergency.set', at, data: { by: human, via: 'web' } }
  const lift: EmergencyCommand = { type: 'lift-emergency', at, by: human, via: null }
  emergency.given().when({ type: 'set-emergency', at, by: human, via: 'web' }).thenTypes('emergency.set')
  emergency.given(set).when({ type: 'set-emergency', at, by: human, via: 'web' }).thenTypes()
  emergency.given(set).when(lift).thenTypes('emergency.lifted')
  emergency.given().when(lift).thenTypes()
  assert.deepEqual(emergency.given(set).state.stop, { by: 'owner', at })
})

test('the results of stopped calls, word for word', () => {
  assert.equal(dialogTexts.en.callStopped('Mia', true), 'Stopped by Mia while running; it may have taken effect.')
  assert.equal(dialogTexts.en.callStopped('Mia', false), 'Stopped by Mia before it ran.')
  assert.equal(dialogTexts.zh.callStopped('Mia', true), '已被 Mia 停止，当时正在执行，可能已经生效。')
  assert.equal(dialogTexts.zh.callStopped('Mia', false), '已被 Mia 停止，尚未执行。')
})

test('a stop closes the calls that were running, so that nothing runs twice by itself', () => {
  const called: DialogEvent = { type: 'tool.called', at, data: { call: 'c1', turn: 1, name: 'act', input: {}, policy: 'repeat' } }
  given(opened, said(), started, called).when({ type: 'stop-turn', at, text: 'half' }).thenTypes('tool.returned', 'turn.stopped')
})

test('the result of a stopped call names the person, and whether it had started', () => {
  const called: DialogEvent = { type: 'tool.called', at, data: { call: 'c1', turn: 1, name: 'act', input: {}, policy: 'repeat' } }
  const stop: DialogEvent = { type: 'latch.set', at, data: { by: { kind: 'human', name: 'Mia' }, via: 'web' } }
  const zh: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: human, language: 'zh' } }
  const toOutput = (first: DialogEvent, isBeforeRun: boolean, ...more: DialogEvent[]): unknown => {
    const { state } = given(first, said(), started, called, ...more)
    const decision = decideDialog(state, { type: 'stop-turn', at, text: null, unstarted: isBeforeRun ? ['c1'] : [] })
    const returned = 'events' in decision ? decision.events[0] : undefined
    return returned?.type === 'tool.returned' ? returned.data.output : null
  }
  assert.equal(toOutput(opened, false, stop), 'Stopped by Mia while running; it may have taken effect.')
  assert.equal(toOutput(opened, true, stop), 'Stopped by Mia before it ran.')
  assert.equal(toOutput(zh, false, stop), '已被 Mia 停止，当时正在执行，可能已经生效。')
  assert.equal(toOutput(zh, true, stop), '已被 Mia 停止，尚未执行。')
  assert.equal(toOutput(opened, false), 'Stopped by a person while running; it may have taken effect.')
})

test('what a failed, stopped or cut generation cost is added to the total; events of 0.1 add nothing', () => {
  const spent = { tokens: 5, money: 1 }
  const failed: DialogEvent = { type: 'generation.failed', at, data: { turn: 1, code: 'model_garbled', details: {}, retryAt: at } }
  const withCost = { ...failed, data: { ...failed.data, spent } } as DialogEvent
  const cut: DialogEvent = { type: 'turn.cut', at, data: { turn: 1, why: 'crash', spent } }
  const over: DialogEvent = { type: 'turn.failed', at, data: { turn: 1, code: 'agent_failed', details: {}, spent } }
  assert.deepEqual(given(opened, said(), started, failed).state.spent, { tokens: 0, money: 0 })
  assert.deepEqual(given(opened, said(), started, withCost, cut, over).state.spent, { tokens: 15, money: 3 })
  given(opened, said(), started)
    .when({ type: 'stop-turn', at, text: null, spent })
    .then({ type: 'turn.stopped', data: { turn: 1, text: null, spent } })
})

test('a finished generation, the end of a turn and a retry clear the crashes', () => {
  const cut: DialogEvent = { type: 'turn.cut', at, data: { turn: 1, why: 'crash' } }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const generated: DialogEvent = { type: 'generation.finished', at, data: { turn: 1, generation: 1, model: null, usage, seen: 2 } }
  assert.equal(recentCrashes(given(opened, said(), started, cut, cut).state, at), 2)
  assert.equal(recentCrashes(given(opened, said(), started, cut, cut).state, at + dialogLimits.crashWindowMs + 1), 0)
  assert.equal(recentCrashes(given(opened, said(), started, cut, cut, generated).state, at), 0)
  assert.equal(recentCrashes(given(opened, said(), started, cut, cut, finished(2)).state, at), 0)
  assert.deepEqual(given(opened, said(), started, { type: 'turn.cut', at, data: { turn: 1, why: 'shutdown' } }).state.crashes, [])
})

test('the cost of a generation is counted even after its dialog was declared dead', () => {
  const origin = { root: 'r', parent: 'r', mode: 'fresh' as const, session: null }
  const side: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: human, language: 'en', origin } }
  const died: DialogEvent = { type: 'dialog.died', at, data: { by: human, note: null } }
  const spent = { tokens: 5, money: 0 }
  given(side, said(), started, died)
    .when({ type: 'cut-turn', at, why: 'death', spent })
    .then({ type: 'turn.cut', data: { turn: 1, why: 'death', spent } })
})

test('words said after the turn looked are a reason for the next one', () => {
  assert.equal(needsTurn(given(opened, said(), started, said('again'), finished(2)).state), true)
  assert.equal(needsTurn(given(opened, said(), started, said('again'), finished(4)).state), false)
})

test('an agent may give a title, but not over a human one', () => {
  const generation: DialogCommand = {
    type: 'finish-generation',
    at,
    model: null,
    usage: { inputTokens: null, outputTokens: null },
    message: { id: 'm', text: 'ok' },
    calls: [],
    questions: [],
    title: 'Better',
  }
  given(opened, said(), titled, started).when(generation).thenTypes('generation.finished', 'message.said', 'dialog.titled')
  given(opened, { type: 'dialog.titled', at: 1, data: { title: 'Mine', by: 'human' } }, said(), started)
    .when(generation)
    .thenTypes('generation.finished', 'message.said')
})

test('titles from first words end between words and never in half a character', () => {
  assert.equal(firstWords('short'), 'short')
  assert.equal(firstWords('first line\nsecond'), 'first line')
  assert.equal(firstWords('word '.repeat(30)).length <= 61, true)
  assert.equal(firstWords('😀'.repeat(60)).isWellFormed(), true)
})

test('the context keeps the newest and counts what it let go', () => {
  const events = [opened, ...Array.from({ length: 500 }, (_, index) => said(`m${index}`))]
  const { state } = given(...events)
  assert.ok(state.context.length <= dialogLimits.contextItems)
  assert.equal(state.context.length + state.contextDropped, 500)
  const last = state.context.at(-1)
  assert.equal(last?.kind === 'human' && last.text, 'm499')
})

test('pushes are switched once, and a refill may continue a dialog at rest', () => {
  const pushed: DialogEvent = { type: 'prompt.added', at, data: { why: 'diligence', text: 'Is it done?' } }
  const change = (what: PushChange, continues = false): DialogCommand => ({ type: 'change-pushes', at, change: what, by: human, continues })
  const off: DialogEvent = { type: 'pushes.changed', at, data: { change: 'off', by: human, via: null } }
  given(opened).when(change('off')).thenTypes('pushes.changed')
  given(opened, off).when(change('off')).thenTypes()
  given(opened, off).when(change('on')).thenTypes('pushes.changed')
  given(opened).when(change('refill', true)).thenTypes()
  given(opened, pushed).when(change('refill')).thenTypes('pushes.changed')
  given(opened, pushed).when(change('refill', true)).thenTypes('pushes.changed', 'dialog.continued')
})
