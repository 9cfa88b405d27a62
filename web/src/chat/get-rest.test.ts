import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DialogItem, type DialogView, emptyView } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'
import { getRest } from './get-rest.ts'

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
  assert.equal(getRest(answered, []), 'm2')
  const tool: DialogItem = { kind: 'tool', id: 't', seq: 2, at: 1, name: 'x', input: {}, state: 'done', output: null }
  assert.equal(getRest({ ...answered, items: [...answered.items, tool] }, []), 'm2')
})

test('nothing rests before the first reply, while it works, waits or was stopped, in a side dialog, or once a person wrote', () => {
  assert.equal(getRest(emptyView, []), null)
  for (const status of ['working', 'stopping', 'waiting', 'delegated', 'stopped', 'failed', 'dead'] as const)
    assert.equal(getRest({ ...answered, status }, []), null, status)
  assert.equal(getRest({ ...answered, origin: { root: 'r', parent: 'r', mode: 'fresh', session: null } }, []), null)
  assert.equal(getRest({ ...answered, items: [...answered.items, message('m3', 'human')] }, []), null)
  assert.equal(getRest(answered, [letter]), null)
  assert.equal(getRest({ ...answered, queued: [{ key: 'k', text: 'wait', at: 1, message: null, error: null }] }, []), null)
})
