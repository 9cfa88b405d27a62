import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWorthTelling } from './announcements.ts'
import type { DialogEvent } from './dialog-events.ts'
import { initialDialog } from './dialog-state.ts'

const side = { ...initialDialog, origin: { root: 'r', parent: 'r', mode: 'fresh' as const, session: null } }
const makeEvent = (type: DialogEvent['type']): DialogEvent => ({ type, at: 1, data: {} }) as unknown as DialogEvent

test('announcements: questions, keys and failures are announced from every dialog', () => {
  for (const type of ['question.asked', 'question.answered', 'question.expired', 'approval.key-given', 'turn.failed'] as const)
    for (const state of [initialDialog, side]) assert.equal(isWorthTelling(makeEvent(type), state), true, type)
})

test('announcements: other ends of turns are announced from root dialogs only', () => {
  for (const type of ['turn.finished', 'turn.stopped'] as const) {
    assert.equal(isWorthTelling(makeEvent(type), initialDialog), true, type)
    assert.equal(isWorthTelling(makeEvent(type), side), false, type)
  }
})

test('announcements: other events are not announced', () => {
  for (const type of ['message.said', 'turn.started', 'tool.called', 'grant.made', 'dialog.titled'] as const)
    for (const state of [initialDialog, side]) assert.equal(isWorthTelling(makeEvent(type), state), false, type)
})
