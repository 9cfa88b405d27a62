import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { takingTurns } from './taking-turns.ts'

test('calls under one key run one after the other, also after a failure; another key does not wait', async () => {
  const inTurn = takingTurns()
  const texts: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate.promise
    texts.push('a1')
    throw new Error('broken')
  })
  const second = inTurn('a', async () => texts.push('a2'))
  await inTurn('b', async () => texts.push('b1'))
  gate.resolve()
  await assert.rejects(first, /broken/)
  await second
  assert.deepEqual(texts, ['b1', 'a1', 'a2'])
})

test('a call that comes while another waits under its key runs after that one, not beside it', async () => {
  const inTurn = takingTurns()
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const starts: number[] = []
  const run = (index: number) => inTurn('a', async () => (starts.push(index), gates[index]?.promise))
  const calls = [run(0), run(1)]
  gates[0]?.resolve()
  await calls[0]
  calls.push(run(2))
  await loopTurn()
  assert.deepEqual(starts, [0, 1])
  gates[1]?.resolve()
  await calls[1]
  await loopTurn()
  assert.deepEqual(starts, [0, 1, 2])
  gates[2]?.resolve()
  await calls[2]
})
