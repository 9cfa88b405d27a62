import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKnownPrice } from './known-prices.ts'

test('findKnownPrice: the price of a model, whatever its seller calls it', () => {
  assert.deepEqual(findKnownPrice('openai/gpt-5.4'), {
    inputPerMillion: 2.5,
    cachedInputPerMillion: 0.25,
    outputPerMillion: 15,
    step: { aboveTokens: 272_000, factor: 2 },
  })
  assert.deepEqual(findKnownPrice('claude-haiku-5.5'), {
    inputPerMillion: 0.1,
    cachedInputPerMillion: 0.01,
    cacheWritePerMillion: 0.125,
    outputPerMillion: 0.5,
    step: { aboveTokens: 100_000, factor: 5 },
  })
  assert.equal(findKnownPrice('claude-opus-5-5')?.cachedInputPerMillion, 0.2)
  assert.deepEqual(findKnownPrice('grok-4.3'), { inputPerMillion: 1.25, outputPerMillion: 2.5 })
})

test('findKnownPrice: a cache that is kept for an hour costs twice the input', () => {
  assert.equal(findKnownPrice('claude-sonnet-5-5', '1h')?.cacheWritePerMillion, 4)
})

test('findKnownPrice: variants and models without a known price have none', () => {
  for (const model of ['gpt-5.4-mini', 'gpt-5.5-pro-2026-10-01', 'gpt-5', 'llama3.2', 'claude-sonnet-5'])
    assert.equal(findKnownPrice(model), null)
})
