import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyCommand } from './apply-command.ts'
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
  const applied = applyCommand(state, command)
  assert.ok('state' in applied)
  return applied.state
}

test('applyCommand: the events and the state are those of the rules', () => {
  const opened = apply(initialDialog, open)
  assert.deepEqual(opened, fold(initialDialog, open))
  assert.deepEqual(apply(opened, say('hello')), fold(opened, say('hello')))
})

test('applyCommand: the same command on another state is decided anew', () => {
  const hello = say('hello')
  const opened = apply(initialDialog, open)
  const one = apply(opened, hello)
  const other = apply(apply(opened, say('before')), hello)
  assert.equal(one.seq + 1, other.seq)
  assert.equal(apply(opened, hello).seq, one.seq)
})

test('applyCommand: a second time on the same state, the result is the same object', () => {
  assert.equal(applyCommand(initialDialog, open), applyCommand(initialDialog, open))
})

test('applyCommand: a refusal holds for its state only', () => {
  const hello = say('hello')
  assert.ok('refused' in applyCommand(initialDialog, hello))
  assert.ok('state' in applyCommand(apply(initialDialog, open), hello))
})
