import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredEvent } from '../ports/store.ts'
import { upcast } from './upcasts.ts'

const event = (type: string, data: object): StoredEvent => ({ stream: 's', seq: 7, position: 70, at: 1, type, data })

test('upcast: an event whose shape never changed is returned as it is', () => {
  const stored = event('message.said', { text: 'hello' })
  assert.equal(upcast(stored), stored)
})

test('upcast: a question of 0.1 is for the owner, and a later one keeps its audience', () => {
  assert.deepEqual(upcast(event('question.asked', { question: 'q' })).data, { audience: { kind: 'owner' }, question: 'q' })
  const audience = { kind: 'everyone' }
  assert.deepEqual(upcast(event('question.asked', { audience })).data, { audience })
})

test('upcast: a turn of 0.1 has seen everything up to its end', () => {
  assert.deepEqual(upcast(event('turn.failed', { turn: 1 })).data, { seen: 7, turn: 1 })
  assert.deepEqual(upcast(event('turn.stopped', { turn: 1, seen: 3 })).data, { turn: 1, seen: 3 })
})

test('upcast: a text of a person is never read as the reason of the runtime', () => {
  const cancelled = (reason: string | null, kind: string, more = {}): unknown =>
    upcast(event('question.cancelled', { reason, by: { kind }, ...more })).data
  assert.deepEqual(cancelled('covered', 'agent'), { reason: null, why: 'covered', by: { kind: 'agent' } })
  assert.deepEqual(cancelled('covered', 'human'), { reason: 'covered', why: null, by: { kind: 'human' } })
  assert.deepEqual(cancelled('stopped', 'human'), { reason: null, why: 'stopped', by: { kind: 'human' } })
  assert.deepEqual(cancelled('stopped', 'human', { why: null }), { reason: 'stopped', why: null, by: { kind: 'human' } })
})

test('upcast: only the steps after the version of the event are applied, in order', () => {
  const table = { changed: [(data: object) => ({ ...data, a: 1, v: 2 }), (data: object) => ({ ...data, b: 2, v: 3 })] }
  assert.deepEqual(upcast(event('changed', {}), table).data, { a: 1, b: 2, v: 3 })
  assert.deepEqual(upcast(event('changed', { v: 2 }), table).data, { b: 2, v: 3 })
  assert.deepEqual(upcast(event('changed', { v: 3 }), table).data, { v: 3 })
})
