import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataForPerson } from './person-events.ts'

test('people see public events whole, of their own doings the words, and nothing of the others', () => {
  const payload = { source: 'agent', status: 'running' }
  assert.equal(dataForPerson({ type: 'status.changed', data: payload }), payload)
  assert.deepEqual(dataForPerson({ type: 'build.opened', data: { prompt: 'A list', by: { name: 'mia' }, once: 'k' } }), {
    prompt: 'A list',
    by: { name: 'mia' },
  })
  assert.deepEqual(dataForPerson({ type: 'build.turn.started', data: { turn: 2, wishes: ['Add a map.'], hint: 'secret' } }), {
    wishes: ['Add a map.'],
  })
  assert.equal(dataForPerson({ type: 'build.faulted', data: { text: 'secret' } }), null)
})
