import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Role, isAtMost, roles } from '../../authority/roles.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { evolveDialog } from './evolve-dialog.ts'
import type { Question } from './question.ts'
import { type DialogState, initialDialog } from './dialog-state.ts'
import { getCause } from './turn-cause.ts'

const person = (name: string, role: Role): Participant => ({ kind: 'human', name, id: `person:${name}`, role })
const mia = person('mia', 'owner')
const guest = person('eve', 'guest')
const ask: Question = {
  text: 'Which one?',
  items: [
    {
      id: 'size',
      text: 'Size',
      kind: 'choice',
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
  ],
}
const openQuestion: Question = { text: 'Name?', items: [{ id: 'name', text: 'Name?', kind: 'text' }] }

/** Folds commands; a refused one fails the test. */
function dialogAfter(...commands: DialogCommand[]): DialogState {
  return commands.reduce<DialogState>((state, command) => {
    const decision = decideDialog(state, command)
    assert.ok('events' in decision, JSON.stringify(decision))
    return decision.events.reduce(evolveDialog, state)
  }, initialDialog)
}

const opened = (by: Participant = mia): DialogCommand => ({ type: 'open-dialog', at: 1, agent: 'ada', by, language: 'en' })
const say = (by: Participant, via = 'web'): DialogCommand => ({ type: 'say', at: 2, message: 'm', text: 'hi', by, via })
const trust = (upTo: number): DialogCommand => ({ type: 'trust-dialog', at: 3, by: mia, via: 'web', upTo })
const start: DialogCommand = { type: 'start-turn', at: 3 }
const finish = (seen: number): DialogCommand => ({ type: 'finish-turn', at: 4, seen })
const asks = (question: Question): DialogCommand => ({
  type: 'ask-question',
  at: 3,
  asked: { question: 'q1', call: null, ask: question, expiresAt: null },
})
const names = (state: DialogState): string[] => getCause(state).by.map(({ name }) => name)

test('turn cause: names the authors of unread messages and the lowest role', () => {
  const state = dialogAfter(opened(), say(mia), say(guest), start)
  assert.deepEqual(names(state), ['mia', 'eve'])
  assert.equal(state.cause?.role, 'guest')
})

test('turn cause: a later message of the owner has one author but keeps the floor', () => {
  const before = dialogAfter(opened(), say(guest), start)
  const state = dialogAfter(opened(), say(guest), start, finish(before.seq), say(mia), start)
  assert.deepEqual(names(state), ['mia'])
  assert.equal(state.cause?.role, 'guest')
})

test('turn cause: tapping an option adds no author and no text', () => {
  const ann = person('ann', 'operator')
  const state = dialogAfter(opened(), say(mia), start, asks(ask), finish(3), {
    type: 'answer-question',
    at: 5,
    question: 'q1',
    answers: { size: 's' },
    by: ann,
    via: 'telegram',
  })
  assert.deepEqual(names(state), ['mia'])
  assert.equal(state.floor, 'owner')
})

test('turn cause: a typed answer adds its author to the waiting turn', () => {
  const state = dialogAfter(opened(), say(mia), start, asks(openQuestion), finish(3), {
    type: 'answer-question',
    at: 5,
    question: 'q1',
    answers: { name: 'Ann' },
    by: person('ann', 'operator'),
    via: 'telegram',
  })
  assert.deepEqual(names(state), ['mia', 'ann'])
  assert.equal(state.floor, 'operator')
})

test('turn cause: Continue runs with the stored authors, not with the person who pressed it', () => {
  const failed: DialogCommand = { type: 'fail-turn', at: 4, code: 'agent_failed', details: { why: 'x' } }
  const state = dialogAfter(opened(), say(guest), start, failed, { type: 'continue-dialog', at: 5, by: mia, via: 'web' }, start)
  assert.deepEqual(names(state), ['eve'])
})

test('A12: writers of a task document are causes of every turn that reads it, also across a request and its reply', () => {
  const ann = { id: 'person:ann', name: 'ann', role: 'operator' as const }
  const writers = (state: DialogState): string[] => (getCause(state).writers ?? []).map(({ name }) => name)
  const reads: DialogCommand = { type: 'read-taskdoc', at: 3, role: 'operator', change: 'c1', writers: [ann] }
  const first = dialogAfter(opened(), say(mia), start, reads)
  assert.deepEqual([names(first), writers(first)], [['mia'], ['ann']])
  const second = dialogAfter(opened(), say(mia), start, reads, finish(first.seq), say(mia), start)
  assert.deepEqual([names(second), writers(second)], [['mia'], ['ann']])
  const received = evolveDialog(dialogAfter(opened(), say(mia), start), {
    type: 'reply.received',
    at: 4,
    data: { tellask: 't', outcome: 'replied', text: 'x', cause: getCause(first) },
  })
  assert.deepEqual([names(received), writers(received)], [['mia'], ['ann']])
  assert.deepEqual(writers(dialogAfter(opened(), say(mia), start, reads, trust(first.seq))), [])
})

test('A20: turn cause: a request and its reply carry the floor down and back', () => {
  const before = dialogAfter(opened(), say(guest), start)
  // The turn is the owner's, in a dialog a guest wrote in before: the floor is below everyone in `by`.
  const owners = getCause(dialogAfter(opened(), say(guest), start, finish(before.seq), say(mia), start))
  assert.deepEqual([owners.by.map(({ name }) => name), owners.role], [['mia'], 'guest'])
  const asker = before
  const side = dialogAfter(
    { ...opened(mia), origin: { root: 'r', parent: 'r', mode: 'fresh', session: null } } as DialogCommand,
    {
      type: 'receive-tellask',
      at: 2,
      tellask: 't',
      mode: 'fresh',
      from: 'r',
      by: 'ada',
      session: null,
      content: 'x',
      about: null,
      cause: getCause(asker),
    },
    start,
  )
  assert.equal(side.cause?.role, 'guest')
  assert.deepEqual(names(side), ['eve'])
  const received = {
    type: 'tellask.received',
    at: 2,
    data: { tellask: 't', mode: 'fresh', from: 'r', by: 'ada', session: null, content: 'x', about: null, cause: owners },
  }
  assert.equal(evolveDialog(dialogAfter(opened(mia)), received as DialogEvent).floor, 'guest')
  const made: DialogCommand = {
    type: 'make-tellask',
    at: 3,
    tellask: 't',
    call: 'c',
    mode: 'fresh',
    to: 's',
    agent: 'b',
    session: null,
    content: 'x',
  }
  const back = dialogAfter(opened(), say(mia), start, made, {
    type: 'receive-reply',
    at: 4,
    tellask: 't',
    outcome: 'replied',
    text: 'done',
    cause: getCause(side),
  })
  assert.equal(back.floor, 'guest')
  assert.deepEqual(names(back), ['mia', 'eve'])
})

test('A19: trust-dialog: only an owner raises the floor', () => {
  const state = dialogAfter(opened(), say(guest))
  const refused = decideDialog(state, { type: 'trust-dialog', at: 3, by: person('ann', 'operator'), via: 'web', upTo: state.seq })
  assert.ok('refused' in refused && refused.refused.code === 'owner_only')
  assert.equal(dialogAfter(opened(), say(guest), trust(state.seq)).floor, 'owner')
})

test('A19: trust-dialog: refuses when text came in that the owner has not seen', () => {
  const seen = dialogAfter(opened(), say(guest))
  const later = dialogAfter(opened(), say(guest), say(guest))
  const refused = decideDialog(later, trust(seen.seq))
  assert.ok('refused' in refused && refused.refused.code === 'unseen_text', JSON.stringify(refused))
  assert.equal(later.floor, 'guest')
  const ownText = dialogAfter(opened(), say(guest), say(mia), start, trust(seen.seq))
  assert.equal(ownText.floor, 'owner', 'text of the owner and work of the agent need no reading')
})

test('trust-dialog: refuses an event that does not exist yet', () => {
  const refused = decideDialog(dialogAfter(opened(), say(guest)), trust(1_000))
  assert.ok('refused' in refused && refused.refused.code === 'event_not_reached')
})

test('turn cause: events of 0.1 get their role from the surface', () => {
  const roleAfter = (via: string | null): Role =>
    evolveDialog(
      evolveDialog(initialDialog, {
        type: 'dialog.opened',
        at: 1,
        data: { agent: 'ada', by: { kind: 'human', name: 'x' }, language: 'en' },
      }),
      {
        type: 'message.said',
        at: 2,
        data: { message: 'm', by: { kind: 'human', name: 'x' }, text: 'hi', turn: null, via },
      },
    ).floor
  assert.deepEqual(['web', 'cli', 'api', 'library', 'telegram', null].map(roleAfter), [
    'owner',
    'owner',
    'operator',
    'operator',
    'guest',
    'guest',
  ])
})

test('floor: is never above the lowest role that wrote, and only trust raises it', () => {
  const speaker = fc.constantFrom(...roles).map((role) => person(role, role))
  fc.assert(
    fc.property(fc.array(speaker, { minLength: 1, maxLength: 20 }), (people) => {
      const events: DialogEvent[] = people.map((by) => ({
        type: 'message.said',
        at: 1,
        data: { message: 'm', by, text: 'x', turn: null, via: 'web' },
      }))
      let state = dialogAfter(opened())
      for (const event of events) {
        const before = state.floor
        state = evolveDialog(state, event)
        assert.ok(isAtMost(state.floor, before))
      }
      for (const { role } of people) assert.ok(isAtMost(state.floor, role ?? 'owner'))
    }),
  )
})

const approver = person('ann', 'operator')

test('turn cause: a note of an approver makes them an author, as a message would', () => {
  const answered = (note?: string): DialogState =>
    evolveDialog(dialogAfter(opened(), say(mia), start, asks(ask)), {
      type: 'question.answered',
      at: 5,
      data: { question: 'q1', answers: { size: 's' }, by: approver, via: 'web', decision: 'deny', ...(note === undefined ? {} : { note }) },
    })
  assert.deepEqual(names(answered('Use the other one.')), ['mia', 'ann'])
  assert.equal(answered('Use the other one.').floor, 'operator')
  assert.deepEqual(names(answered()), ['mia'])
})

test('turn cause: the reason of a person who withdraws a question counts, a reason of the runtime does not', () => {
  const cancelled = (by: Participant, reason: string | null = 'Do this instead.'): DialogState =>
    evolveDialog(dialogAfter(opened(), say(mia), start, asks(ask)), {
      type: 'question.cancelled',
      at: 5,
      data: { question: 'q1', reason, why: reason === null ? 'stopped' : null, by },
    })
  assert.deepEqual(names(cancelled(approver)), ['mia', 'ann'])
  assert.deepEqual(names(cancelled({ kind: 'agent', name: 'parley' })), ['mia'])
  assert.deepEqual(names(cancelled(approver, null)), ['mia'], 'a stop brings no text')
})

test('turn cause: an answer typed while a turn runs keeps its author until a turn has read it', () => {
  const typed: DialogEvent = {
    type: 'question.answered',
    at: 5,
    data: { question: 'q1', answers: { name: 'x' }, by: approver, via: 'web' },
  }
  const asked = dialogAfter(opened(), say(mia), start, asks(openQuestion))
  const answered = evolveDialog(asked, typed)
  const finished = evolveDialog(answered, { type: 'turn.finished', at: 6, data: { turn: 1, seen: asked.seq } })
  assert.deepEqual(names(finished), ['mia', 'ann'])
})

test('turn cause: a text of several people names all of them', () => {
  const authors = [
    { id: 'person:mia', name: 'mia', role: 'owner' as const },
    { id: 'person:ann', name: 'ann', role: 'operator' as const },
  ]
  const state = dialogAfter(opened(), { type: 'say', at: 2, message: 'm', text: 'hi', by: mia, via: 'build', authors })
  assert.deepEqual(names(state), ['mia', 'ann'])
  assert.equal(state.floor, 'operator')
})

test('turn cause: authors are forgotten when everything they wrote was read, and not before', () => {
  const before = dialogAfter(opened(), say(guest), start)
  const read = dialogAfter(opened(), say(guest), start, finish(before.inputSeq))
  assert.deepEqual(read.inputAuthors, [])
  const unread = dialogAfter(opened(), say(guest), start, finish(before.inputSeq - 1))
  assert.deepEqual(
    unread.inputAuthors.map(({ name }) => name),
    ['eve'],
  )
})
