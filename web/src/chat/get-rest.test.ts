import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DialogItem, type DialogView, emptyView } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'
import { restOf } from './rest-of.ts'

const message = (id: string, kind: 'agent' | 'human'): DialogItem => ({
  kind: 'message',
  id,
  seq: 1,
  at: 1,
  by: { kind, name: 'x' },
  text: 'words',
  turn: 1,
  via: null,
  isCut: false,
})
const answered: DialogView = { ...emptyView, items: [message('m1', 'human'), message('m2', 'agent')] }
const letter: Letter = { key: 'k', dialog: 'd', text: 'wait', language: 'en', agent: null, state: 'waiting', error: null }

test('a finished reply is a rest, named after it', () => {
  assert.equal(restOf(answered, []), 'm2')
  const tool: DialogItem = { kind: 'tool', id: 't', seq: 2, at: 1, name: 'x', input: {}, state: 'done', output: null }
  assert.equal(restOf({ ...answered, items: [...answered.items, tool] }, []), 'm2')
})

test('nothing rests before the first reply, while it works, waits or was stopped, in a side dialog, or once somebody wrote', () => {
  assert.equal(restOf(emptyView, []), null)
  for (const status of ['working', 'stopping', 'waiting', 'delegated', 'stopped', 'failed', 'dead'] as const)
    assert.equal(restOf({ ...answered, status }, []), null, status)
  assert.equal(restOf({ ...answered, origin: { root: 'r', parent: 'r', mode: 'fresh', session: null } }, []), null)
  assert.equal(restOf({ ...answered, items: [...answered.items, message('m3', 'human')] }, []), null)
  assert.equal(restOf(answered, [letter]), null)
  assert.equal(restOf({ ...answered, queued: [{ key: 'k', text: 'wait', at: 1, message: null, error: null }] }, []), null)
})
