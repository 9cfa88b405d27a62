import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFamily, modelFamilies, type ModelFamily } from './families.ts'

type Row = [model: string, window: number, input: number, output: number | null, expected: Partial<ModelFamily>]

const responses = { outputField: 'max_output_tokens', reasoning: 'responses', replay: 'items', cache: 'key', usage: 'openai' } as const
const chat = { outputField: 'max_completion_tokens', cache: 'key', cacheMinTokens: 1_024, usage: 'openai' } as const
const claude = { outputField: 'max_tokens', replay: 'blocks', cache: 'cache_control', usage: 'anthropic' } as const
const kept = { outputField: 'max_tokens', replay: 'reasoning_content', cache: 'automatic' } as const

const rows: readonly Row[] = [
  ['gpt-6-sol', 1_050_000, 922_000, 128_000, { ...responses, priceStep: { aboveTokens: 272_000, factor: 2 } }],
  ['gpt-5.6-terra', 1_050_000, 922_000, 128_000, responses],
  ['gpt-5.5', 1_050_000, 922_000, 128_000, responses],
  ['gpt-5.4-2026-03-05', 1_050_000, 922_000, 128_000, responses],
  ['gpt-5.4-mini', 400_000, 272_000, 128_000, responses],
  ['gpt-5', 400_000, 272_000, 128_000, { ...chat, reasoning: 'effort' }],
  ['gpt-5-2025-08-07', 400_000, 272_000, 128_000, { ...chat, reasoning: 'effort' }],
  ['gpt-5.1', 400_000, 272_000, 128_000, { ...chat, reasoning: 'effort' }],
  ['gpt-5.2', 400_000, 272_000, 128_000, { ...chat, reasoning: 'effort' }],
  ['o3', 200_000, 200_000, 100_000, { ...chat, reasoning: 'effort' }],
  ['o4-mini', 200_000, 200_000, 100_000, { ...chat, reasoning: 'effort' }],
  ['gpt-4.1-nano', 1_047_576, 1_047_576, 32_768, { ...chat, reasoning: 'none' }],
  ['gpt-4o-mini', 128_000, 128_000, 16_384, { ...chat, reasoning: 'none' }],
  ['claude-opus-5-5', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive', alwaysThinks: true }],
  ['claude-fable-5-1', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive', alwaysThinks: true }],
  ['claude-sonnet-5-5', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive' }],
  ['claude-haiku-5-5', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive' }],
  ['claude-opus-5', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive' }],
  ['claude-sonnet-5-20260401', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive' }],
  ['claude-opus-4-8', 1_000_000, 1_000_000, 128_000, { ...claude, reasoning: 'adaptive' }],
  ['claude-sonnet-4-6', 1_000_000, 1_000_000, 64_000, { ...claude, reasoning: 'output-effort' }],
  ['claude-haiku-4-5-20251001', 200_000, 200_000, 64_000, { ...claude, reasoning: 'budget' }],
  ['claude-sonnet-4-5', 200_000, 200_000, 64_000, { ...claude, reasoning: 'budget' }],
  ['gemini-4-argon', 1_048_576, 1_048_576, 65_536, { outputField: 'max_tokens', replay: 'thought_signature' }],
  ['gemini-3.1-pro', 1_048_576, 1_048_576, 65_536, { reasoning: 'effort', cache: 'automatic' }],
  ['gemini-2.5-flash-lite', 1_048_576, 1_048_576, 65_536, { cacheMinTokens: 4_096 }],
  ['deepseek-v4-pro', 1_000_000, 1_000_000, 384_000, { ...kept, reasoning: 'thinking-type', usage: 'deepseek' }],
  ['mistral-large-latest', 262_144, 262_144, null, { outputField: 'max_tokens', reasoning: 'effort', cache: 'key' }],
  ['mistral-medium-latest', 262_144, 262_144, null, { cache: 'key' }],
  ['devstral-2', 262_144, 262_144, null, { cache: 'key' }],
  ['mistral-small-latest', 256_000, 256_000, null, { cache: 'key' }],
  ['grok-4.3', 1_000_000, 1_000_000, 30_000, { reasoning: 'effort', cache: 'automatic', usage: 'openai' }],
  ['kimi-k2.6', 262_144, 262_144, null, kept],
  ['kimi-k2.7-thinking', 262_144, 262_144, null, kept],
  ['glm-5.2', 1_000_000, 1_000_000, 131_072, kept],
  ['qwen3.7-max', 1_000_000, 1_000_000, 65_536, kept],
  ['MiniMax-M3', 1_000_000, 1_000_000, 128_000, kept],
  ['gpt-oss-120b', 131_072, 131_072, 32_768, { outputField: 'max_completion_tokens', reasoning: 'effort', cache: 'automatic' }],
  ['llama-3.3-70b-versatile', 131_072, 131_072, 32_768, { outputField: 'max_completion_tokens', reasoning: 'none' }],
]

describe('findFamily', () => {
  for (const [model, window, input, output, expected] of rows)
    test(`${model}: ${window} tokens`, () => {
      const family = findFamily(model)
      assert.ok(family)
      assert.equal(family.windowTokens, window)
      assert.equal(family.inputLimitTokens, input)
      assert.equal(family.maxOutputTokens, output)
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(family[field as keyof ModelFamily], value, field)
      assert.equal(family.alwaysThinks, expected.alwaysThinks)
    })

  test('every family and every prefix has a row in this test', () => {
    const seen = new Set(rows.map(([model]) => findFamily(model)))
    assert.deepEqual(
      modelFamilies.filter((family) => !seen.has(family)).map(({ name }) => name),
      [],
    )
    for (const family of modelFamilies) for (const prefix of family.prefixes) assert.equal(findFamily(prefix), family, prefix)
  })

  for (const [spelling, model] of [
    ['openai/gpt-5', 'gpt-5'],
    ['openrouter/anthropic/claude-opus-4.8', 'claude-opus-4-8'],
    ['anthropic/claude-haiku-4.5:beta', 'claude-haiku-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['models/gemini-2.5-pro', 'gemini-2.5'],
    ['ft:gpt-4o-2024-08-06:acme::x1', 'gpt-4o'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama-3.3'],
    ['moonshotai/Kimi-K2.6', 'kimi-k2.6'],
  ] as const)
    test(`${spelling} is ${model}`, () => {
      assert.ok(findFamily(model))
      assert.equal(findFamily(spelling), findFamily(model))
    })

  for (const model of ['', 'gpt-4-1106-preview', 'gpt-50', 'o30', 'my-gpt-5', 'claude-opus-4-20250514', 'llama3.2:3b', 'x'.repeat(100_000)])
    test(`${model.slice(0, 30)} is not in the table`, () => assert.equal(findFamily(model), null))
})
