import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { joinSignals } from './join-signals.ts'

test('joinSignals: aborts with the first source and keeps its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()]
  const { signal } = joinSignals([one.signal, two.signal])
  assert.equal(signal.aborted, false)
  two.abort('stop')
  assert.equal(signal.reason, 'stop')
  one.abort('lost')
  assert.equal(signal.reason, 'stop')
})

test('joinSignals: a source that has aborted before aborts it at once', () => {
  const { signal } = joinSignals([new AbortController().signal, AbortSignal.abort('lost')])
  assert.equal(signal.reason, 'lost')
})

test('joinSignals: after the end nothing is left at the sources, and their abort is not followed', () => {
  const source = new AbortController()
  const joined = joinSignals([source.signal])
  assert.equal(getEventListeners(source.signal, 'abort').length, 1)
  joined.end()
  assert.equal(getEventListeners(source.signal, 'abort').length, 0)
  source.abort()
  assert.equal(joined.signal.aborted, false)
})
