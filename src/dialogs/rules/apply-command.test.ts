import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitCommand, planCommand, plannedLimits } from './apply-command.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import { type DialogState, initialDialog } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'

const person = { by: { kind: 'human', name: 'mia' } } as const
const open: DialogCommand = { type: 'open-dialog', at: 1, agent: 'ada', language: 'en', ...person }
const say = (text: string): DialogCommand => ({ type: 'say', at: 2, message: `m-${text}`, text, ...person })

/** The state after the events that the rules decide themselves. */
function fold(state: DialogState, command: DialogCommand): DialogState {
  const decision = decideDialog(state, command)
  assert.ok('events' in decision)
  return decision.events.reduce(evolveDialog, state)
}

function apply(state: DialogState, command: DialogCommand): DialogState {
  const applied = planCommand(state, command)
  assert.ok('state' in applied)
  return applied.state
}

test('planCommand: the events and the state are those of the rules', () => {
  const opened = apply(initialDialog, open)
  assert.deepEqual(opened, fold(initialDialog, open))
  assert.deepEqual(apply(opened, say('hello')), fold(opened, say('hello')))
})

test('planCommand: the same command on another state is decided anew', () => {
  const hello = say('hello')
  const opened = apply(initialDialog, open)
  const one = apply(opened, hello)
  const other = apply(apply(opened, say('before')), hello)
  assert.equal(one.seq + 1, other.seq)
  assert.equal(apply(opened, hello).seq, one.seq)
})

test('commitCommand: a planned command has the same result, on another state it is decided anew', () => {
  const opened = apply(initialDialog, open)
  const hello = say('hello')
  const planned = planCommand(opened, hello)
  assert.equal(commitCommand(opened, hello), planned)
  planCommand(opened, hello)
  const later = apply(opened, say('before'))
  const committed = commitCommand(later, hello)
  assert.ok('state' in committed && committed.state.seq === later.seq + 1)
  assert.deepEqual(commitCommand(opened, hello), planned)
})

test('planCommand: keeps a bounded number of commands, and decides the others again', () => {
  const opened = apply(initialDialog, open)
  const hello = say('hello')
  const planned = planCommand(opened, hello)
  for (let count = 0; count < plannedLimits.commands; count += 1) planCommand(opened, say(`${count}`))
  const again = planCommand(opened, hello)
  assert.notEqual(again, planned)
  assert.deepEqual(again, planned)
})

test('planCommand: a second time on the same state, the result is the same object', () => {
  assert.equal(planCommand(initialDialog, open), planCommand(initialDialog, open))
})

test('planCommand: a refusal holds for its state only', () => {
  const hello = say('hello')
  assert.ok('refused' in planCommand(initialDialog, hello))
  assert.ok('state' in planCommand(apply(initialDialog, open), hello))
})
