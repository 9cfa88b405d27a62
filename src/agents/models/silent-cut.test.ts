import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { observePrompt, type PromptGrowth } from './silent-cut.ts'

const windows = (...prompts: [tokens: number | null, listBytes: number][]): (number | null)[] => {
  let state: PromptGrowth | null = null
  return prompts.map(([tokens, listBytes]) => {
    const { growth, windowTokens } = observePrompt(state, { tokens, listBytes })
    state = growth
    return windowTokens
  })
}

describe('observePrompt', () => {
  test('two equal counts while the list grew are the window', () => {
    assert.deepEqual(windows([4_096, 20_000], [4_096, 24_000]), [null, 4_096])
  })
  test('a count that shrinks twice is cut at its peak', () => {
    assert.deepEqual(windows([4_000, 20_000], [3_900, 24_000], [3_800, 28_000]), [null, null, 4_000])
  })
  test('a count that shrinks once and grows again is not cut', () => {
    assert.deepEqual(windows([4_000, 20_000], [3_900, 24_000], [5_000, 28_000], [4_900, 33_000]), [null, null, null, null])
  })
  test('a list that grew by less than 5 % says nothing, but its growth adds up', () => {
    assert.deepEqual(windows([4_096, 20_000], [4_096, 20_500], [4_096, 20_990]), [null, null, null])
    assert.deepEqual(windows([4_096, 20_000], [4_096, 20_500], [4_096, 21_000]), [null, null, 4_096])
  })
  test('growing counts and missing counts say nothing', () => {
    assert.deepEqual(windows([1_000, 5_000], [1_200, 6_000], [null, 8_000], [0, 9_000], [2_000, 10_000]), [null, null, null, null, null])
  })
})
