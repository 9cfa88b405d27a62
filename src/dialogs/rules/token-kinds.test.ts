import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTokens, noTokens, toTokenKinds } from './token-kinds.ts'

test('toTokenKinds: every token is in one kind, and a kind never has more than its total', () => {
  assert.deepEqual(toTokenKinds({ inputTokens: null, outputTokens: null }), noTokens)
  assert.deepEqual(toTokenKinds({ inputTokens: 100, cachedTokens: 30, cacheWriteTokens: 20, outputTokens: 50, reasoningTokens: 15 }), {
    input: 50,
    cachedRead: 30,
    cacheWrite: 20,
    output: 35,
    reasoning: 15,
  })
  assert.deepEqual(toTokenKinds({ inputTokens: 10, cachedTokens: 30, cacheWriteTokens: 20, outputTokens: 5, reasoningTokens: 15 }), {
    input: 0,
    cachedRead: 10,
    cacheWrite: 0,
    output: 0,
    reasoning: 5,
  })
})

test('addTokens: adds each kind', () => {
  const one = { input: 1, cachedRead: 2, cacheWrite: 3, output: 4, reasoning: 5 }
  assert.deepEqual(addTokens(one, one), { input: 2, cachedRead: 4, cacheWrite: 6, output: 8, reasoning: 10 })
})
