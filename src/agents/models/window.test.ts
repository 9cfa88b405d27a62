import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resolveWindow } from './window.ts'

describe('resolveWindow', () => {
  const loaded = (windowTokens: number) => ({ windowTokens, isLoaded: true })
  const all = { configured: 50_000, probed: loaded(40_000), learned: 30_000 }

  test('asks configuration, probe, error, table in this order', () => {
    const sources = (given: Parameters<typeof resolveWindow>[1]) => {
      const { source, windowTokens } = resolveWindow('gpt-4o', given)
      return [source, windowTokens]
    }
    assert.deepEqual(sources(all), ['configured', 50_000])
    assert.deepEqual(sources({ ...all, configured: undefined }), ['probed', 40_000])
    assert.deepEqual(sources({ learned: 30_000, probed: null }), ['learned', 30_000])
    assert.deepEqual(sources({}), ['table', 128_000])
  })

  test('a model that nothing describes has 32,768 tokens, 4,096 of output and a problem', () => {
    assert.deepEqual(resolveWindow('my-own-model', {}), {
      windowTokens: 32_768,
      inputLimitTokens: 32_768,
      maxOutputTokens: 4_096,
      source: 'unknown',
      problem: 'window unknown',
    })
  })

  test('only an unknown window is a problem', () => {
    assert.equal(resolveWindow('my-own-model', { probed: loaded(8_192) }).problem, null)
    assert.equal(resolveWindow('gpt-5', {}).problem, null)
  })

  test('the maximum of a model that is not loaded is only an upper bound', () => {
    const window = (model: string, windowTokens: number) => resolveWindow(model, { probed: { windowTokens, isLoaded: false } }).windowTokens
    assert.equal(window('my-own-model', 262_144), 32_768)
    assert.equal(window('my-own-model', 8_192), 8_192)
    assert.equal(window('gpt-oss:20b', 65_536), 65_536)
    assert.equal(resolveWindow('my-own-model', { probed: { windowTokens: 8_192, isLoaded: false } }).problem, 'window unknown')
  })

  test('the input limit of the family holds for windows up to its own', () => {
    assert.equal(resolveWindow('gpt-5', {}).inputLimitTokens, 272_000)
    assert.equal(resolveWindow('gpt-5', { configured: 400_000 }).inputLimitTokens, 272_000)
    assert.equal(resolveWindow('gpt-5', { configured: 100_000 }).inputLimitTokens, 100_000)
    assert.equal(resolveWindow('gpt-5', { configured: 2_000_000 }).inputLimitTokens, 2_000_000)
  })

  for (const nonsense of [0, -1, 1.5, NaN, Infinity])
    test(`ignores a window of ${nonsense} tokens`, () =>
      assert.equal(resolveWindow('gpt-4o', { configured: nonsense, probed: loaded(nonsense), learned: nonsense }).source, 'table'))
})
