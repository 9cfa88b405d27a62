import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogEvent } from './dialog-events.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { initialDialog, needsTurn } from './dialog-state.ts'

const mia = { kind: 'human', name: 'mia' } as const
const stop = { by: 'owner', dialog: 'root' }

const opened: DialogEvent[] = [
  {
    type: 'dialog.opened',
    at: 1,
    data: {
      agent: 'ada',
      by: { kind: 'agent', name: 'bob' },
      language: 'en',
      origin: { root: 'root', parent: 'root', mode: 'session', session: 'x', depth: 1 },
    },
  },
  {
    type: 'tellask.received',
    at: 1,
    data: { tellask: 'ask_1', mode: 'session', from: 'root', by: 'bob', session: 'x', content: 'please', about: null },
  },
]

const said: DialogEvent = { type: 'message.said', at: 3, data: { message: 'm', by: mia, text: 'hello?', turn: null, via: 'test' } }

test('a request whose turn failed is continued with after a turn that only answered a person', () => {
  const state = [
    ...opened,
    { type: 'turn.started', at: 2, data: { turn: 1 } },
    { type: 'turn.failed', at: 2, data: { turn: 1, code: 'agent_failed', details: {}, seen: 2 } },
    said,
    { type: 'turn.started', at: 4, data: { turn: 2, alone: stop } },
    { type: 'turn.finished', at: 5, data: { turn: 2, seen: 5 } },
  ].reduce((before, event) => evolveDialog(before, event as DialogEvent), initialDialog)
  assert.deepEqual(state.held, { ...stop, at: 5 })
  assert.equal(needsTurn(evolveDialog(state, { type: 'dialog.continued', at: 6, data: { by: mia, via: 'test' } })), true)
})

test('a message that no generation read before the stop is answered after Continue', () => {
  const state = [
    ...opened,
    { type: 'turn.started', at: 2, data: { turn: 1 } },
    { type: 'reply.given', at: 2, data: { tellask: 'ask_1', text: 'done' } },
    { type: 'turn.finished', at: 2, data: { turn: 1, seen: 2 } },
    said,
    { type: 'turn.started', at: 4, data: { turn: 2, alone: stop } },
    { type: 'generation.failed', at: 4, data: { turn: 2, code: 'model_overloaded', details: {}, retryAt: 9 } },
    { type: 'latch.set', at: 5, data: { by: mia, via: 'test' } },
    { type: 'turn.stopped', at: 6, data: { turn: 2, text: null, seen: 8, held: stop } },
  ].reduce((before, event) => evolveDialog(before, event as DialogEvent), initialDialog)
  assert.equal(needsTurn(state), false)
  assert.equal(needsTurn(evolveDialog(state, { type: 'latch.lifted', at: 7, data: { by: mia, via: 'test' } })), true)
})
