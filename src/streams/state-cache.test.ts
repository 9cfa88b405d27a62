import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateCache, stateCacheLimits } from './state-cache.ts'

const { states, chars } = stateCacheLimits
const makeCache = () => new StateCache<number>((weight) => weight)

test('StateCache: the least recently used state leaves first', () => {
  const cache = makeCache()
  for (let index = 0; index < states; index += 1) cache.set(`s${index}`, { state: 1, seq: index })
  assert.deepEqual(cache.get('s0'), { state: 1, seq: 0 })
  cache.set('new', { state: 1, seq: 1 })
  assert.equal(cache.size, states)
  assert.equal(cache.get('s1'), undefined)
  assert.ok(cache.get('s0') && cache.get('s2') && cache.get('new'))
})

test('StateCache: states leave until the rest is light enough, and the newest stays however heavy', () => {
  const cache = makeCache()
  cache.set('a', { state: chars / 2, seq: 1 })
  cache.set('b', { state: chars / 2, seq: 1 })
  assert.equal(cache.size, 2)
  cache.set('c', { state: 1, seq: 1 })
  assert.deepEqual([cache.get('a'), cache.size], [undefined, 2])
  cache.set('b', { state: chars + 1, seq: 2 })
  assert.deepEqual([cache.get('b'), cache.size], [{ state: chars + 1, seq: 2 }, 1])
})

test('StateCache: a state that is forgotten or replaced no longer counts', () => {
  const cache = makeCache()
  for (let round = 0; round < 3; round += 1) cache.set('a', { state: chars, seq: round })
  cache.forget('a')
  cache.forget('a')
  assert.equal(cache.size, 0)
  cache.set('b', { state: chars / 2, seq: 1 })
  cache.set('c', { state: chars / 2, seq: 1 })
  assert.equal(cache.size, 2)
})
