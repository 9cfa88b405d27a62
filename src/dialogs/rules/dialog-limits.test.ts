import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { dialogLimits, type DialogState, initialDialog, isUnblocked, getStatus } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { followUps } from './follow-ups.ts'
import type { Question } from './question.ts'

const mia: Participant = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }
const ask: Question = { text: 'Which?', items: [{ id: 'name', text: 'Name', kind: 'text' }] }

/** Applies commands that must all be accepted. */
function play(commands: readonly DialogCommand[], from: DialogState = initialDialog): DialogState {
  return commands.reduce((state, command) => events(state, command).reduce(evolveDialog, state), from)
}

function events(state: DialogState, command: DialogCommand): DialogEvent[] {
  const decision = decideDialog(state, command)
  assert.ok('events' in decision, `${command.type}: ${JSON.stringify(decision)}`)
  return decision.events
}

const refusal = (state: DialogState, command: DialogCommand): string | null => {
  const decision = decideDialog(state, command)
  return 'refused' in decision ? decision.refused.code : null
}

const origin = { root: 'r', parent: 'p', mode: 'session' as const, session: 'work', depth: 1 }
const opened = play([{ type: 'open-dialog', at: 1, agent: 'ada', by: mia, language: 'en' }])
const say = (text: string): DialogCommand => ({ type: 'say', at: 2, message: 'm', text, by: mia })
const running = play([say('hi'), { type: 'start-turn', at: 3 }], opened)
const question = (id: string, expiresAt: number | null = null): DialogCommand => ({
  type: 'ask-question',
  at: 4,
  asked: { question: id, call: null, ask, expiresAt },
})
const answer = (id: string): DialogCommand => ({ type: 'answer-question', at: 5, question: id, answers: { name: 'Nori' }, by: mia })

test('say: a text of exactly the limit is accepted, one more character is refused', () => {
  assert.equal(refusal(opened, say('x'.repeat(dialogLimits.textChars))), null)
  assert.equal(refusal(opened, say('x'.repeat(dialogLimits.textChars + 1))), 'text_too_long')
})

test('title-dialog: a title of exactly the limit is accepted, one more character is refused', () => {
  const title = (length: number): DialogCommand => ({ type: 'title-dialog', at: 2, title: 'x'.repeat(length), by: 'human' })
  assert.equal(refusal(opened, title(dialogLimits.titleChars)), null)
  assert.equal(refusal(opened, title(dialogLimits.titleChars + 1)), 'text_too_long')
})

test('add-reminder: text, number and position of reminders have exact limits', () => {
  const add = (text: string, position?: number): DialogCommand => ({
    type: 'add-reminder',
    at: 2,
    reminder: 'r',
    text,
    ...(position === undefined ? {} : { position }),
  })
  assert.equal(refusal(opened, add('x'.repeat(dialogLimits.reminderChars))), null)
  assert.equal(refusal(opened, add('x'.repeat(dialogLimits.reminderChars + 1))), 'bad_reminder')
  const one = play([add('first')], opened)
  const listed = (position: number): string[] => play([add('new', position)], play([add('second')], one)).reminders.map(({ text }) => text)
  assert.deepEqual(listed(0), ['first', 'second', 'new'])
  assert.deepEqual(listed(1), ['new', 'first', 'second'])
  assert.deepEqual(listed(2), ['first', 'new', 'second'])
  assert.deepEqual(listed(3), ['first', 'second', 'new'])
  assert.equal(refusal(one, add('x', -1)), 'bad_reminder')
  assert.equal(refusal(one, add('x', 0.5)), 'bad_reminder')
  assert.equal(refusal(one, add('second', 2)), null)
  assert.equal(refusal(one, add('second', 3)), 'bad_reminder')
  const last = play(Array<DialogCommand>(dialogLimits.reminders - 1).fill(add('note')), opened)
  assert.equal(refusal(last, add('note')), null)
  assert.equal(refusal(play([add('note')], last), add('note')), 'bad_reminder')
})

test('say: the limit of waiting messages is exact', () => {
  const almost = play(Array<DialogCommand>(dialogLimits.waitingMessages - 1).fill(say('hi')), opened)
  assert.equal(refusal(almost, say('hi')), null)
  assert.equal(refusal(play([say('hi')], almost), say('hi')), 'too_many_waiting')
})

test('refuse-answer: attempts are recorded once per person, up to the limit', () => {
  const attempt = (id: number): DialogCommand => ({
    type: 'refuse-answer',
    at: 6,
    question: 'q',
    by: { kind: 'human', name: 'eve', id: `person:${id}`, role: 'guest' },
  })
  const asked = play([question('q')], running)
  const attempts = Array.from({ length: dialogLimits.refusedAnswers }, (_, index) => attempt(index))
  const full = play(attempts, asked)
  assert.equal(full.questions['q']?.refusedIds.length, dialogLimits.refusedAnswers)
  assert.equal(events(play(attempts.slice(1), asked), attempt(0)).length, 1)
  assert.equal(events(full, attempt(-1)).length, 0)
  assert.equal(events(play([attempt(1)], asked), attempt(1)).length, 0)
})

test('evolve: the state holds the latest closed questions up to the limit', () => {
  const count = dialogLimits.closedQuestions + 3
  const closed = Array.from({ length: count }, (_, index) => [question(`q${index}`), answer(`q${index}`)]).flat()
  const state = play(closed, running)
  assert.equal(Object.keys(state.closed).length, dialogLimits.closedQuestions)
  assert.equal(state.closed['q2'], undefined)
  assert.ok(state.closed['q3'])
  assert.equal(refusal(state, answer('q3')), 'already_answered')
  assert.equal(refusal(state, answer('q2')), 'question_not_found')
})

test('evolve: an answer clears a failure and lets a failed dialog run again', () => {
  const asked = play([question('q')], running)
  const failed = play([{ type: 'fail-turn', at: 5, code: 'model_stalled', details: { seconds: 3 }, seen: asked.seq }], asked)
  assert.equal(getStatus(failed), 'failed')
  assert.ok(failed.failure)
  const answered = play([answer('q')], failed)
  assert.equal(answered.failure, null)
  assert.equal(getStatus(answered), 'working')
  const expired = play([{ type: 'expire-question', at: 6, question: 'q' }], failed)
  assert.ok(expired.failure, 'time alone does not')
  assert.equal(getStatus(expired), 'failed')
})

test('followUps: a question that closes before its time cancels its timer, and a closed question does not expire', () => {
  const asked = play([question('q', 50)], running)
  const timer = { kind: 'timer', key: 'dlg/q' }
  const closing: DialogCommand[] = [
    answer('q'),
    { type: 'decline-question', at: 5, question: 'q', by: mia },
    { type: 'cancel-question', at: 5, question: 'q', by: mia },
  ]
  for (const command of closing) {
    const closedBy = events(asked, command)
    const after = closedBy.reduce(evolveDialog, asked)
    assert.deepEqual(followUps('dlg', closedBy, after).cancel, [timer], command.type)
    assert.notEqual(refusal(after, { type: 'expire-question', at: 60, question: 'q' }), null, command.type)
  }
  const asking = events(running, question('q', 50))
  assert.deepEqual(followUps('dlg', asking, asked).wake, [{ ...timer, at: 50 }])
  const expiring = events(asked, { type: 'expire-question', at: 50, question: 'q' })
  assert.deepEqual(followUps('dlg', expiring, expiring.reduce(evolveDialog, asked)).cancel, [], 'it is running')
})

test('getStatus: a question asked back is worked on although an older request is still pending', () => {
  const side = play([{ type: 'open-dialog', at: 1, agent: 'bob', by: mia, language: 'en', origin }])
  const request = (tellask: string, mode: 'session' | 'back'): DialogCommand => ({
    type: 'receive-tellask',
    at: 2,
    tellask,
    mode,
    from: 'd',
    by: 'cy',
    session: null,
    content: 'please',
    about: null,
  })
  const made = (tellask: string): DialogCommand => ({
    type: 'make-tellask',
    at: 3,
    tellask,
    call: `c-${tellask}`,
    mode: 'session',
    to: 'd2',
    agent: 'cy',
    session: null,
    content: 'help',
  })
  const finish = (state: DialogState): DialogState => play([{ type: 'finish-turn', at: 4, seen: state.seq }], state)
  const waiting = finish(play([request('t1', 'session'), { type: 'start-turn', at: 3 }, made('t2'), question('q')], side))
  assert.equal(getStatus(waiting), 'waiting')
  assert.equal(isUnblocked(waiting), false)
  const askedBack = play([request('t3', 'back')], waiting)
  assert.equal(getStatus(askedBack), 'working')
  assert.equal(isUnblocked(askedBack), true, 'the request and the question are older')
  const read = finish(play([{ type: 'start-turn', at: 5 }], askedBack))
  assert.equal(getStatus(read), 'waiting')
  const reply: DialogCommand = { type: 'receive-reply', at: 7, tellask: 't2', outcome: 'replied', text: 'here' }
  assert.equal(getStatus(play([reply], read)), 'working', 'the open question is older than the question asked back')
  assert.equal(getStatus(play([reply], waiting)), 'waiting', 'without a question asked back the dialog waits for the answer')
  assert.equal(isUnblocked(play([question('later')], askedBack)), false, 'a later question is awaited')
})
