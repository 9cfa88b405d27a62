import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { dialogLimits, type DialogState, initialDialog } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { askHuman, type Question } from './question.ts'

const mia: Participant = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }
const ada: Participant = { kind: 'agent', name: 'ada' }
const ask: Question = { text: 'Which?', items: [{ id: 'name', text: 'Name', kind: 'text' }] }
const usage = { inputTokens: 1, outputTokens: 1 }

const fold = (events: readonly DialogEvent[], from: DialogState = initialDialog): DialogState => events.reduce(evolveDialog, from)
const opened: DialogEvent = { type: 'dialog.opened', at: 1, data: { agent: 'ada', by: mia, language: 'en' } }
const said = (text: string): DialogEvent => ({
  type: 'message.said',
  at: 2,
  data: { message: 'm', by: mia, text, turn: null, via: 'web' },
})
const started: DialogEvent = { type: 'turn.started', at: 3, data: { turn: 1 } }
const generated = (seen: number, health?: 'healthy' | 'caution'): DialogEvent => ({
  type: 'generation.finished',
  at: 4,
  data: { turn: 1, generation: 1, model: null, usage, seen, ...(health === undefined ? {} : { health }) },
})
const called = (call: string, name: string): DialogEvent => ({
  type: 'tool.called',
  at: 5,
  data: { call, turn: 1, name, input: {}, policy: 'ask' },
})
const request = (tellask: string, mode: 'session' | 'back'): DialogEvent => ({
  type: 'tellask.received',
  at: 6,
  data: { tellask, mode, from: 'd', by: 'cy', session: null, content: 'please', about: null },
})
const asks = (tellask: string, call: string): DialogEvent => ({
  type: 'tellask.made',
  at: 6,
  data: { tellask, call, mode: 'fresh', to: 'd2', agent: 'cy', session: null, content: 'help' },
})
const course = (why: 'asked' | 'forced', prompt = 'Go on.'): DialogEvent => ({
  type: 'course.started',
  at: 8,
  data: { course: 2, why, prompt },
})
const describe = ({ context }: DialogState): string[] =>
  context.map((item) => {
    if (item.kind === 'call') return `call ${item.call}`
    return item.kind === 'question' ? `question ${item.question}` : `${item.kind} ${item.text}`
  })

test('asks in a row: calls are counted once each, a new request begins again, a question asked back does not', () => {
  assert.equal(fold([opened, started, asks('t1', 'c1'), asks('t2', 'c1')]).asksInARow, 1)
  const twice = fold([opened, started, asks('t1', 'c1'), asks('t2', 'c1'), asks('t3', 'c2')])
  assert.equal(twice.asksInARow, 2)
  assert.equal(fold([request('t4', 'back')], twice).asksInARow, 2)
  assert.equal(fold([request('t4', 'session')], twice).asksInARow, 0)
  assert.equal(fold([said('hi')], twice).asksInARow, 0)
})

test('asks in a row: a reply that shows the next request begins again', () => {
  const replied: DialogEvent = { type: 'reply.given', at: 9, data: { tellask: 't1', text: 'done' } }
  const two = fold([opened, request('t1', 'session'), request('t2', 'session'), started, asks('t3', 'c1')])
  assert.equal(fold([replied], two).asksInARow, 0)
  const one = fold([opened, request('t1', 'session'), started, asks('t3', 'c1')])
  assert.equal(fold([replied], one).asksInARow, 1)
})

test('turn.stopped: a dialog with a latch, held work or an unread message goes on later, any other stays stopped', () => {
  const stopped = (held?: { by: string; dialog: string }): DialogEvent => ({
    type: 'turn.stopped',
    at: 9,
    data: { turn: 1, text: null, seen: 2, ...(held ? { held } : {}) },
  })
  const latched: DialogEvent = { type: 'latch.set', at: 8, data: { by: mia, via: null } }
  const begun = [opened, said('hi'), started] as const
  assert.equal(fold([...begun, stopped()]).rest, 'stopped')
  assert.equal(fold([...begun, latched, stopped()]).rest, 'ready')
  assert.equal(fold([...begun, stopped({ by: 'mia', dialog: 'd' })]).rest, 'ready')
  assert.equal(fold([...begun, said('and?'), stopped()]).rest, 'ready')
})

test('health: it is that of the last generation, and unknown in a new course', () => {
  const state = fold([opened, said('hi'), started, generated(2, 'healthy'), generated(2, 'caution')])
  assert.equal(state.health, 'caution')
  const told = fold([{ type: 'prompt.added', at: 7, data: { why: 'health', text: 'Nearly full.' } }], state)
  assert.equal(told.pushes, 0, 'a warning is no push')
  assert.equal(fold([generated(2)], told).health, 'unknown')
  assert.equal(fold([course('asked')], told).health, 'unknown')
})

test('context: a call and its question move to the end when they get their outcome', () => {
  const asking: DialogEvent = {
    type: 'question.asked',
    at: 5,
    data: { question: 'q', turn: 1, call: 'c1', by: ada, ask, expiresAt: null, audience: { kind: 'owner' } },
  }
  const answered: DialogEvent = {
    type: 'question.answered',
    at: 6,
    data: { question: 'q', answers: { name: 'Nori' }, by: mia, via: 'web' },
  }
  const waiting = fold([opened, said('hi'), started, generated(2), called('c1', askHuman), asking, called('c2', 'look'), said('and?')])
  assert.deepEqual(describe(waiting), ['human hi', 'call c1', 'question q', 'call c2', 'human and?'])
  const after = fold([answered], waiting)
  assert.deepEqual(describe(after), ['human hi', 'call c2', 'human and?', 'call c1', 'question q'])
  const returned: DialogEvent = { type: 'tool.returned', at: 7, data: { call: 'c2', ok: true, output: 'seen' } }
  assert.deepEqual(describe(fold([returned], after)), ['human hi', 'human and?', 'call c1', 'question q', 'call c2'])
})

test('context: own words go before messages that came while the agent thought', () => {
  const own: DialogEvent = { type: 'message.said', at: 5, data: { message: 'm', by: ada, text: 'hello', turn: 1, via: null } }
  assert.deepEqual(describe(fold([opened, said('hi'), started, said('and?'), generated(3), own])), [
    'human hi',
    'agent hello',
    'human and?',
  ])
  assert.deepEqual(describe(fold([opened, said('hi'), started, generated(3), own, said('and?')])), [
    'human hi',
    'agent hello',
    'human and?',
  ])
  assert.deepEqual(describe(fold([opened, said('hi'), started, said('and?'), generated(4), own])), [
    'human hi',
    'human and?',
    'agent hello',
  ])
  assert.deepEqual(describe(fold([opened, started, said('first'), generated(2), own])), ['agent hello', 'human first'])
})

test('context: only the call that waits for an approval says so', () => {
  const approval = { shown: { text: '' } } as unknown as NonNullable<Extract<DialogEvent, { type: 'question.asked' }>['data']['approval']>
  const asking: DialogEvent = {
    type: 'question.asked',
    at: 5,
    data: { question: 'q', turn: 1, call: 'c2', by: ada, ask, expiresAt: null, audience: { kind: 'owner' }, purpose: 'approval', approval },
  }
  const { context } = fold([opened, said('hi'), started, generated(2), called('c1', 'look'), called('c2', 'act'), asking])
  assert.deepEqual(
    context.map((item) => (item.kind === 'call' ? (item.awaits ?? 'nothing') : item.kind)),
    ['human', 'nothing', 'approval'],
  )
})

test('context: exactly the limit of characters stays whole, one more drops a third', () => {
  const third = 'x'.repeat(dialogLimits.contextChars / 4)
  const full = fold([opened, said(third), said(third), said(third), said(third)])
  assert.deepEqual([full.context.length, full.contextChars, full.contextDropped], [4, dialogLimits.contextChars, 0])
  const over = fold([said('y')], full)
  assert.deepEqual([over.context.length, over.contextChars, over.contextDropped], [3, dialogLimits.contextChars / 2 + 1, 2])
})

test('context: exactly the limit of items stays whole, one more leaves two thirds', () => {
  const full = fold([opened, ...Array<DialogEvent>(dialogLimits.contextItems).fill(said('x'))])
  assert.deepEqual([full.context.length, full.contextDropped], [dialogLimits.contextItems, 0])
  const over = fold([said('y')], full)
  const left = Math.floor((dialogLimits.contextItems * 2) / 3)
  assert.deepEqual([over.context.length, over.contextDropped], [left, dialogLimits.contextItems + 1 - left])
})

test('context: characters of results count, and the goal and the newest item stay however long that is', () => {
  const first: DialogEvent = { type: 'tool.returned', at: 7, data: { call: 'c0', ok: true, output: '' } }
  const state = fold([opened, said('hi'), started, generated(2), called('c0', 'look'), first, called('c1', 'look')])
  const output = 'x'.repeat(dialogLimits.contextChars + 1)
  const after = fold([{ type: 'tool.returned', at: 7, data: { call: 'c1', ok: true, output } }], state)
  assert.deepEqual(describe(after), ['human hi', 'call c1'])
  assert.equal(after.contextDropped, 1)
  const small = fold([{ type: 'tool.returned', at: 7, data: { call: 'c1', ok: true, output: 'abc' } }], state)
  assert.equal(small.contextChars, 'hi'.length + 2 * '{}'.length + 'abc'.length)
})

test('context: a new course begins with its prompt and what the agent has not read', () => {
  const state = fold([opened, said('read'), started, generated(2), called('c1', 'look'), called('c2', 'tellask'), said('unread')])
  const returned = (call: string): DialogEvent => ({ type: 'tool.returned', at: 7, data: { call, ok: true, output: 'x' } })
  const done = fold([returned('c1'), returned('c2')], state)
  assert.deepEqual(describe(fold([course('asked')], done)), ['prompt Go on.', 'human unread', 'call c2'])
  assert.deepEqual(describe(fold([course('forced')], done)), ['prompt Go on.', 'human unread', 'call c1', 'call c2'])
  assert.deepEqual(describe(fold([course('forced')], state)), ['prompt Go on.', 'human unread'], 'calls without a result')
  const fresh = fold([course('asked')], done)
  assert.deepEqual([fresh.contextDropped, fresh.contextChars], [0, 'Go on.'.length + 'unread'.length + '{}x'.length])
})

test('context: a new course repeats no prompt that its own first prompt holds already', () => {
  const prompted: DialogEvent = { type: 'prompt.added', at: 7, data: { why: 'diligence', text: 'Look once more.' } }
  const state = fold([opened, said('hi'), started, generated(2), prompted])
  assert.deepEqual(describe(fold([course('asked')], state)), ['prompt Go on.', 'prompt Look once more.'])
  assert.deepEqual(describe(fold([course('asked', 'Look once more. Go on.')], state)), ['prompt Look once more. Go on.'])
})

test('pushes: a reply and a question asked back keep the count, a message of a person begins again', () => {
  const push: DialogEvent = { type: 'prompt.noted', at: 7, data: { notes: [{ kind: 'diligence' }] } }
  const reply: DialogEvent = { type: 'reply.received', at: 8, data: { tellask: 't1', outcome: 'replied', text: 'x' } }
  const pushed = fold([opened, said('hi'), started, push, called('c1', 'tellask'), asks('t1', 'c1'), request('b1', 'back'), reply])
  assert.equal(pushed.pushes, 1)
  assert.equal(fold([said('and?')], pushed).pushes, 0)
})

test('preview: the first 140 characters of the latest message, never half a character', () => {
  assert.equal(fold([opened, said('x'.repeat(141))]).preview, 'x'.repeat(140))
  assert.equal(fold([opened, said(`${'x'.repeat(139)}😀`)]).preview.isWellFormed(), true)
})
