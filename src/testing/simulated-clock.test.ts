import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from './simulated-clock.ts'

test('callbacks fire in order of their time, each at its own time', async () => {
  const clock = simulatedClock(1000)
  const texts: string[] = []
  const note = (name: string) => () => texts.push(`${name}@${clock.now()}`)
  clock.after(30, note('c'))
  clock.after(10, note('a'))
  clock.after(10, note('b'))
  await clock.advance(20)
  assert.deepEqual(texts, ['a@1010', 'b@1010'])
  assert.equal(clock.now(), 1020)
  assert.equal(clock.next(), 1030)
  await clock.advance(10)
  assert.deepEqual(texts, ['a@1010', 'b@1010', 'c@1030'])
  assert.equal(clock.next(), null)
})

test('what was taken back never fires', async () => {
  const clock = simulatedClock()
  let fired = 0
  const takeBack = clock.after(5, () => fired++)
  takeBack()
  takeBack()
  await clock.advance(100)
  assert.equal(fired, 0)
})

test('a callback set by a callback, also through promises, still falls into the same advance', async () => {
  const clock = simulatedClock(0)
  const numbers: number[] = []
  const again = async (): Promise<void> => {
    await Promise.resolve()
    numbers.push(clock.now())
    await new Promise((resolve) => setImmediate(resolve))
    clock.after(10, () => void again())
  }
  clock.after(10, () => void again())
  await clock.advance(35)
  assert.deepEqual(numbers, [10, 20, 30])
})

test('a callback for now or the past is due at once, but never before advance is called', async () => {
  const clock = simulatedClock(50)
  let at: number | null = null
  clock.after(-10, () => (at = clock.now()))
  assert.equal(at, null)
  await clock.advance(0)
  assert.equal(at, 50)
})
