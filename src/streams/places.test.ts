import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { places } from './places.ts'

test('places: so many at a time, the others in the order they came', async () => {
  const { signal } = new AbortController()
  const { take } = places(2)
  const first = await take(signal)
  await take(signal)
  const texts: string[] = []
  const third = take(signal).then((giveBack) => (texts.push('third'), giveBack))
  const fourth = take(signal).then((giveBack) => (texts.push('fourth'), giveBack))
  await loopTurn()
  assert.deepEqual(texts, [])
  first()
  first()
  await third
  await loopTurn()
  assert.deepEqual(texts, ['third'], 'a place is given back once')
  ;(await third)()
  await fourth
  assert.deepEqual(texts, ['third', 'fourth'])
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('places: one that stops waiting leaves its place in line to the next', async () => {
  const { take } = places(1)
  const { signal } = new AbortController()
  const leaving = new AbortController()
  const giveBack = await take(signal)
  const gone = take(leaving.signal)
  const next = take(signal)
  leaving.abort(new Error('left'))
  await assert.rejects(gone, /left/)
  giveBack()
  ;(await next)()
  ;(await take(signal))()
  await assert.rejects(take(leaving.signal), /left/)
  ;(await take(signal))()
})

test('places: a place that is given back while none wait lets one in, not two', async () => {
  const { signal } = new AbortController()
  const { take } = places(1)
  ;(await take(signal))()
  await take(signal)
  let isIn = false
  void take(signal).then(() => (isIn = true))
  await loopTurn()
  assert.equal(isIn, false)
})
