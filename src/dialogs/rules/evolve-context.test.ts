import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptTexts } from '../../words/index.ts'
import type { DialogEvent } from './dialog-events.ts'
import { dialogLimits } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { promptLimits } from './prompt/prompt-list.ts'
import { askHuman } from './question.ts'
import { assignmentPrompt, backPrompt, carriedOver, isSlug, markers, tellaskLimits, withMarker, withoutMarker } from './tellask.ts'
import {
  agent,
  asked,
  called,
  failed,
  finished,
  fold,
  generations,
  given,
  guest,
  opened,
  openedAside,
  operator,
  owner,
  said,
  started,
  tellaskMade,
  tellaskReceived,
} from './test/dialog-facts.ts'

const running = [opened(), said(), started()] as const
const prompts = (...events: DialogEvent[]) => fold(...events).context.flatMap((item) => (item.kind === 'prompt' ? [item.text] : []))
const received = (tellask: string, text: string, outcome: 'replied' | 'failed' = 'replied'): DialogEvent => ({
  type: 'reply.received',
  at: 8,
  data: { tellask, outcome, text },
})
const result = (...events: DialogEvent[]) => fold(...events).context.flatMap((item) => (item.kind === 'call' ? [item.result] : []))
const request = { mode: 'session', by: 'ada', session: 's', content: 'Do it' } as const

test('context: a request is shown when it is its turn, a question asked back at once with what it is about', () => {
  const back = tellaskReceived('b1', { mode: 'back', by: 'bob', content: 'Which?', about: 'Do it' })
  assert.deepEqual(prompts(openedAside(), tellaskReceived('t1'), tellaskReceived('t2')), [assignmentPrompt('en', request)])
  assert.deepEqual(prompts(...running, back), [backPrompt('en', { by: 'bob', content: 'Which?' }, 'Do it')])
  const reply: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 't1', text: '' } }
  assert.deepEqual(prompts(openedAside(), tellaskReceived('t1'), tellaskReceived('t2', { content: 'Next' }), reply), [
    assignmentPrompt('en', request),
    assignmentPrompt('en', { ...request, content: 'Next' }),
  ])
})

test('context: after a reply to a question asked back the open request is shown again, unless it waits for others', () => {
  const begun = [openedAside(), tellaskReceived('t1'), started(), tellaskReceived('b1', { mode: 'back' })]
  const reply: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 'b1', text: '' } }
  assert.equal(prompts(...begun, reply).at(-1), assignmentPrompt('en', request))
  assert.equal(prompts(...begun, reply).length, 3)
  assert.equal(prompts(...begun, called('c1'), tellaskMade('x1'), reply).length, 2)
})

test('context: one reply is the result of its call; several are numbered, and one that succeeded is enough', () => {
  const one = [...running, called('c1'), tellaskMade('t1')]
  assert.deepEqual(result(...one, received('t1', 'Fine')), [{ ok: true, output: 'Fine' }])
  assert.deepEqual(result(...one, received('t1', 'Broken', 'failed')), [{ ok: false, output: 'Broken' }])
  const two = [...one, tellaskMade('t2')]
  assert.deepEqual(result(...two, received('t1', 'One')), [null])
  assert.deepEqual(result(...two, received('t1', 'One'), received('t2', 'Two', 'failed')), [{ ok: true, output: '#1\nOne\n\n#2\nTwo' }])
})

test('context: a reply to a call that is not there any more brings its request along', () => {
  const state = fold(...running, called('c1'), tellaskMade('t1'), {
    type: 'course.started',
    at: 7,
    data: { course: 2, why: 'asked', prompt: 'Go on' },
  })
  const text = evolveDialog(state, received('t1', 'Fine')).context.flatMap((item) => (item.kind === 'prompt' ? [item.text] : []))
  const pending = state.pending.t1
  assert.ok(pending)
  assert.deepEqual(text, ['Go on', carriedOver('en', pending, 'Fine')])
})

test('context: a question about a limit is for people alone; any other is shown with its end', () => {
  const kinds = (...events: DialogEvent[]) => fold(...running, ...events).context.map(({ kind }) => kind)
  assert.deepEqual(kinds(asked('q1', { purpose: 'limit', limit: generations })), ['human'])
  const answered: DialogEvent = { type: 'question.answered', at: 7, data: { question: 'q1', answers: { name: 'x' }, by: owner, via: null } }
  assert.deepEqual(kinds(asked('q1'), said(), answered), ['human', 'human', 'question'])
  assert.deepEqual(kinds(called('c1', { name: askHuman }), called('c2'), asked('q1', { call: 'c1' }), answered), [
    'human',
    'call',
    'call',
    'question',
  ])
})

test('context: words of a turn that was stopped and notices of budgets are read', () => {
  assert.deepEqual(fold(...running, { type: 'turn.stopped', at: 6, data: { turn: 1, text: 'Half' } }).context.at(-1), {
    kind: 'agent',
    text: 'Half',
    turn: 1,
    seq: 4,
  })
  assert.equal(fold(...running, { type: 'turn.stopped', at: 6, data: { turn: 1, text: null } }).context.length, 1)
  assert.deepEqual(prompts(...running, { type: 'budget.noticed', at: 6, data: { key: 'k', limit: 9, percent: 80 } }), [
    promptTexts.en.notes.budget(80),
  ])
})

test('context: own words that go before a message count like all others', () => {
  const generated: DialogEvent = {
    type: 'generation.finished',
    at: 4,
    data: { turn: 1, generation: 1, model: null, usage: { inputTokens: null, outputTokens: null }, seen: 3 },
  }
  const state = fold(...running, said({ text: 'late' }), generated, said({ by: agent, text: 'words', turn: 1 }))
  assert.deepEqual([state.context.map(({ kind }) => kind), state.contextChars], [['human', 'agent', 'human'], 'hilatewords'.length])
})

const words = (count: number): DialogEvent[] => Array.from({ length: count }, () => said({ by: agent, text: 'Working.', turn: 1 }))

test('context: when older items are dropped, the open request stays until its reply, and so does what has no outcome', () => {
  const side = [openedAside(), tellaskReceived('t1'), started(), called('c1'), ...words(dialogLimits.contextItems)]
  const open = fold(...side)
  assert.ok(open.contextDropped > 0)
  assert.equal(open.context.length + open.contextDropped, 2 + dialogLimits.contextItems)
  const kept = open.context.slice(0, 3).map((item) => (item.kind === 'prompt' ? item.text : item.kind))
  assert.deepEqual(kept, [assignmentPrompt('en', request), 'call', 'agent'])
  const reply: DialogEvent = { type: 'reply.given', at: 7, data: { tellask: 't1', text: 'Done.' } }
  const closed = fold(...side, reply, ...words(dialogLimits.contextItems))
  assert.deepEqual(
    closed.context.flatMap(({ kind }) => (kind === 'agent' ? [] : [kind])),
    ['call'],
  )
})

test('context: of a root the first and the last three messages of people stay, unless they are very long', () => {
  const messages = ['goal', 'x'.repeat(promptLimits.pinnedChars + 1), 'two', 'three', 'four', 'five'].map((text) => said({ text }))
  const { context } = fold(opened(), ...messages, started(), ...words(dialogLimits.contextItems))
  assert.deepEqual(
    context.flatMap((item) => (item.kind === 'human' ? [item.text] : [])),
    ['goal', 'three', 'four', 'five'],
  )
})

test('context: what is dropped leaves exactly two thirds of the characters', () => {
  const text = (length: number) => said({ text: 'x'.repeat(length) })
  const third = dialogLimits.contextChars / 4
  const state = fold(opened(), text(third), text(third), text(2 * third - Math.ceil(third / 3)), text(Math.ceil(third / 3) + 1))
  const kept = Math.floor((dialogLimits.contextChars * 2) / 3)
  assert.ok(state.contextChars <= kept && state.contextDropped > 0)
  assert.equal(
    state.contextChars,
    state.context.reduce((sum, item) => sum + (item.kind === 'human' ? item.text.length : 0), 0),
  )
})

test('context: a dialog that a model takes over keeps its preview and no context', () => {
  const epoch: DialogEvent = {
    type: 'epoch.started',
    at: 3,
    data: { why: 'course', system: '', tools: [], team: [], maker: 'm', resultChars: 9, offset: 0 },
  }
  const state = fold(...running, epoch, said({ text: 'New' }))
  assert.deepEqual([state.context, state.contextChars, state.preview], [[], 0, 'New'])
})

test('cause: text of people below owner lowers the floor until an owner trusts the dialog', () => {
  const floors = (...events: DialogEvent[]) => fold(opened(), ...events).floor
  assert.equal(floors(said()), 'owner')
  assert.equal(floors(said({ by: guest }), said()), 'guest')
  assert.equal(floors(said({ by: guest }), { type: 'dialog.trusted', at: 3, data: { by: owner, via: null } }), 'owner')
  const end = (type: 'question.declined' | 'question.cancelled', reason: string | null): DialogEvent =>
    type === 'question.declined'
      ? { type, at: 7, data: { question: 'q1', reason, by: guest, via: null } }
      : { type, at: 7, data: { question: 'q1', reason, why: null, by: guest } }
  assert.equal(floors(asked('q1'), end('question.declined', 'private')), 'guest')
  assert.equal(floors(asked('q1'), end('question.declined', null)), 'owner')
  assert.equal(floors(asked('q1'), end('question.cancelled', 'wrong')), 'guest')
  assert.equal(floors(asked('q1'), end('question.cancelled', null)), 'owner')
  assert.equal(floors(asked('q1'), end('question.cancelled', '')), 'owner')
  assert.equal(floors({ type: 'taskdoc.read', at: 3, data: { role: 'guest', change: 'h' } }), 'guest')
})

test('cause: a typed answer and a note of an approver are text of their author, a tapped option is not', () => {
  const answer = (ask: object | undefined, answers: Record<string, string>, note?: string) =>
    fold(...running, asked('q1', ask === undefined ? {} : { ask: ask as never }), {
      type: 'question.answered',
      at: 7,
      data: { question: 'q1', answers, by: operator, via: null, ...(note === undefined ? {} : { note }) },
    }).floor
  const choice = { text: 'Which?', items: [{ id: 'name', text: '', kind: 'choice', options: [{ value: 'a', label: 'A' }] }] }
  assert.equal(answer(undefined, { name: 'typed' }), 'operator')
  assert.equal(answer(choice, { name: 'a' }), 'owner')
  assert.equal(answer(choice, { name: 'a' }, 'a note'), 'operator')
})

test('cause: authors count until a turn has read all input', () => {
  const ids = (...events: DialogEvent[]) => fold(...events).inputAuthors.map(({ id }) => id)
  const both = [opened(), said(), started(), said({ by: guest })]
  assert.deepEqual(ids(...both), ['person:mia', 'telegram:kim'])
  assert.deepEqual(ids(...both, finished(3)), ['person:mia', 'telegram:kim'])
  assert.deepEqual(ids(...both, finished(4)), [])
  assert.deepEqual(ids(...running, failed({ seen: 3 })), [])
})

test('trust is given by an owner who has seen all text of others', () => {
  const trust = (by: typeof owner, upTo: number, ...events: DialogEvent[]) =>
    given(opened(), ...events).when({ type: 'trust-dialog', at: 9, by, upTo })
  trust(operator, 2, said({ by: guest })).thenRefused('owner_only')
  trust(owner, 3, said({ by: guest })).thenRefused('event_not_reached')
  trust(owner, 1, said({ by: guest })).thenRefused('unseen_text')
  trust(owner, 2, said({ by: guest })).then({ type: 'dialog.trusted', data: { by: owner, via: null, upTo: 2 } })
  trust(owner, 2, said()).thenTypes()
})

test('markers: the right one stays, a wrong one is replaced, a missing one is added', () => {
  assert.equal(withMarker(`  ${markers.done}\nText`, [markers.done]), `${markers.done}\nText`)
  assert.equal(withMarker(`${markers.back} Text`, [markers.done]), `${markers.done}\nText`)
  assert.equal(withMarker(' Text', [markers.done, markers.back]), `${markers.done}\nText`)
  assert.equal(withMarker(`${markers.back} Text`, [markers.done, markers.back]), `${markers.back} Text`)
  assert.equal(withoutMarker(`${markers.done}\n Text`), 'Text')
  assert.equal(withoutMarker('Text'), 'Text')
})

test('names of sessions: letters first, parts divided by dots, a bounded length', () => {
  assert.deepEqual(['a', 'a1.b-c_d', 'x'.repeat(tellaskLimits.slugChars)].map(isSlug), [true, true, true])
  assert.deepEqual(['', '1a', 'a..b', 'a b', 'x'.repeat(tellaskLimits.slugChars + 1)].map(isSlug), [false, false, false, false, false])
})

test('a prompt of a request quotes every line, and one for reasoning has its own header and rules', () => {
  const text = assignmentPrompt('en', { ...request, content: 'One\nTwo' })
  assert.match(text, /^> One\n> Two$/m)
  assert.ok(text.endsWith(promptTexts.en.deliverWithReply))
  const reasoning = assignmentPrompt('en', { ...request, mode: 'reasoning' })
  assert.ok(reasoning.endsWith(promptTexts.en.reasonAlone))
  assert.notEqual(reasoning.split('\n')[0], text.split('\n')[0])
  assert.doesNotMatch(backPrompt('en', { by: 'bob', content: 'Which?' }, null), /Do it/)
})
