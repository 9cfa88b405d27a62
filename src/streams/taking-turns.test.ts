import assert from 'node:assert/strict'
import { test } from 'node:test'
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
