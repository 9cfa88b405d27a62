import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takingTurns } from './taking-turns.ts'

test('under one key one after the other, also after one that failed; another key waits for nobody', async () => {
  const inTurn = takingTurns()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate.promise
    seen.push('a1')
    throw new Error('broken')
  })
  const second = inTurn('a', async () => seen.push('a2'))
  await inTurn('b', async () => seen.push('b1'))
  gate.resolve()
  await assert.rejects(first, /broken/)
  await second
  assert.deepEqual(seen, ['b1', 'a1', 'a2'])
})
