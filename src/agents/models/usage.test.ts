import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { computeCost } from './price.ts'
import { mergeUsage, noUsage, readUsage, type TokenUsage } from './usage.ts'

const counts = (
  input: number | null,
  cached: number | null,
  write: number | null,
  output: number | null,
  reasoning: number | null,
): TokenUsage => ({
  inputTokens: input,
  cachedTokens: cached,
  cacheWriteTokens: write,
  outputTokens: output,
  reasoningTokens: reasoning,
})

const cases: readonly [string, unknown, TokenUsage][] = [
  [
    'OpenAI Chat',
    {
      prompt_tokens: 2_000,
      completion_tokens: 300,
      total_tokens: 2_300,
      prompt_tokens_details: { cached_tokens: 1_024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 256 },
    },
    counts(2_000, 1_024, null, 300, 256),
  ],
  [
    'OpenAI Responses',
    {
      input_tokens: 5_000,
      input_tokens_details: { cached_tokens: 3_000, cache_write_tokens: 1_500 },
      output_tokens: 400,
      output_tokens_details: { reasoning_tokens: 128 },
      total_tokens: 5_400,
    },
    counts(5_000, 3_000, 1_500, 400, 128),
  ],
  [
    'Anthropic: cached tokens are added to the input',
    { input_tokens: 50, cache_creation_input_tokens: 200, cache_read_input_tokens: 10_000, output_tokens: 77 },
    counts(10_250, 10_000, 200, 77, null),
  ],
  ['Anthropic without a cache', { input_tokens: 50, output_tokens: 7 }, counts(50, null, null, 7, null)],
  ['Anthropic, last event of a stream', { output_tokens: 90 }, counts(null, null, null, 90, null)],
  [
    'DeepSeek',
    { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020, prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360 },
    counts(1_000, 640, null, 20, null),
  ],
  [
    'DeepSeek without a sum',
    { prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360, completion_tokens: 1 },
    counts(1_000, 640, null, 1, null),
  ],
  ['DeepSeek with hits alone', { prompt_cache_hit_tokens: 640, completion_tokens: 1 }, counts(640, 640, null, 1, null)],
  ['Kimi', { prompt_tokens: 900, completion_tokens: 10, cached_tokens: 512 }, counts(900, 512, null, 10, null)],
  [
    'Gemini: reasoning is only in the total',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 420 },
    counts(100, null, null, 320, 300),
  ],
  [
    'Grok: reasoning is beside the completion',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 420, completion_tokens_details: { reasoning_tokens: 300 } },
    counts(100, null, null, 320, 300),
  ],
  [
    'a gateway that adds the fields of Anthropic',
    {
      prompt_tokens: 10_250,
      completion_tokens: 77,
      total_tokens: 10_327,
      cache_read_input_tokens: 10_000,
      prompt_tokens_details: { cached_tokens: 10_000 },
    },
    counts(10_250, 10_000, null, 77, null),
  ],
  [
    'a part larger than the whole',
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 99 } },
    counts(10, 10, null, 5, null),
  ],
  ['counts that are none', { prompt_tokens: -1, completion_tokens: 'many', total_tokens: NaN }, noUsage],
  ['nothing', null, noUsage],
  ['a text', 'usage', noUsage],
]

/** One generation as three providers tell it: Chat has no field for written tokens, Anthropic none for reasoning. */
const told = (
  fresh: number,
  cached: number,
  written: number,
  words: number,
  reasoning: number,
): readonly [string, unknown, TokenUsage][] => [
  [
    'chat',
    {
      prompt_tokens: fresh + cached,
      completion_tokens: words + reasoning,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
    counts(fresh + cached, cached, null, words + reasoning, reasoning),
  ],
  [
    'responses',
    {
      input_tokens: fresh + cached + written,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      output_tokens: words + reasoning,
      output_tokens_details: { reasoning_tokens: reasoning },
    },
    counts(fresh + cached + written, cached, written, words + reasoning, reasoning),
  ],
  [
    'anthropic',
    { input_tokens: fresh, cache_read_input_tokens: cached, cache_creation_input_tokens: written, output_tokens: words },
    counts(fresh + cached + written, cached, written, words, null),
  ],
]

/** P19: the first count that is read otherwise than it was told, with its wire; null for none. */
function findMiscount(read: typeof readUsage): string | null {
  const tokens = fc.nat({ max: 1_000_000 })
  const checked = fc.check(
    fc.property(tokens, tokens, tokens, tokens, tokens, (fresh, cached, written, words, reasoning) => {
      for (const [wire, usage, truth] of told(fresh, cached, written, words, reasoning)) {
        const result = read(usage)
        for (const name of Object.keys(truth) as (keyof TokenUsage)[])
          if (result[name] !== truth[name]) throw new Error(`${wire}: ${name} is ${result[name]}, not ${truth[name]}`)
      }
    }),
    { seed: 19 },
  )
  return checked.failed ? String(checked.errorInstance) : null
}

describe('readUsage', () => {
  for (const [what, usage, expected] of cases) test(what, () => assert.deepEqual(readUsage(usage), expected))

  test('cached, written and reasoning tokens are parts that never exceed the whole, for any counts [P19]', () => {
    const count = fc.option(fc.oneof(fc.nat(), fc.double(), fc.string()), { nil: undefined })
    const names = [
      'prompt_tokens',
      'completion_tokens',
      'total_tokens',
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'prompt_cache_hit_tokens',
      'cached_tokens',
    ]
    const flat = fc.tuple(...names.map((name) => count.map((value) => [name, value] as const))).map((pairs) => Object.fromEntries(pairs))
    const details = fc.record({ cached_tokens: count, cache_write_tokens: count, reasoning_tokens: count })
    fc.assert(
      fc.property(flat, fc.option(details), fc.option(details), (usage, chat, responses) => {
        const read = readUsage({
          ...usage,
          prompt_tokens_details: chat,
          completion_tokens_details: chat,
          input_tokens_details: responses,
          output_tokens_details: responses,
        })
        for (const value of Object.values(read)) assert.ok(value === null || (Number.isSafeInteger(value) && value >= 0))
        if (read.inputTokens !== null) assert.ok((read.cachedTokens ?? 0) + (read.cacheWriteTokens ?? 0) <= read.inputTokens)
        if (read.outputTokens !== null) assert.ok((read.reasoningTokens ?? 0) <= read.outputTokens)
        const cost = computeCost(read, { inputPerMillion: 2, cachedInputPerMillion: 0.2, outputPerMillion: 10 })
        assert.ok(cost >= 0 && cost <= computeCost(read, { inputPerMillion: 2, outputPerMillion: 10 }))
      }),
    )
  })

  test('each wire gives back the counts it was told [P19]', () => assert.equal(findMiscount(readUsage), null))

  /** Each breaks the rule, as a careless change would. */
  const planted: Record<string, { found: RegExp; change: (read: TokenUsage) => Partial<TokenUsage> }> = {
    'the prompt is counted without what came from the cache': {
      found: /inputTokens/,
      change: ({ inputTokens, cachedTokens }) => ({ inputTokens: inputTokens === null ? null : inputTokens - (cachedTokens ?? 0) }),
    },
    'written tokens count as cached ones': {
      found: /cachedTokens/,
      change: ({ cachedTokens, cacheWriteTokens }) => ({ cachedTokens: (cachedTokens ?? 0) + (cacheWriteTokens ?? 0) }),
    },
    'written tokens are forgotten': { found: /cacheWriteTokens/, change: () => ({ cacheWriteTokens: null }) },
    'reasoning is counted twice': {
      found: /outputTokens/,
      change: ({ outputTokens, reasoningTokens }) => ({ outputTokens: (outputTokens ?? 0) + (reasoningTokens ?? 0) }),
    },
    'reasoning is not told apart': { found: /reasoningTokens/, change: () => ({ reasoningTokens: null }) },
  }
  for (const [name, { found, change }] of Object.entries(planted))
    test(`planted: ${name} [P19]`, () => {
      const broken: typeof readUsage = (usage) => {
        const read = readUsage(usage)
        return { ...read, ...change(read) }
      }
      assert.match(findMiscount(broken) ?? 'none', found)
    })
})

test('mergeUsage: start and end of an Anthropic stream', () => {
  const start = readUsage({ input_tokens: 50, cache_read_input_tokens: 100, cache_creation_input_tokens: 0, output_tokens: 1 })
  assert.deepEqual(mergeUsage(start, readUsage({ output_tokens: 90 })), counts(150, 100, 0, 90, null))
  assert.deepEqual(mergeUsage(noUsage, noUsage), noUsage)
})

describe('computeCost', () => {
  const usage = counts(1_000_000, 600_000, 100_000, 50_000, 10_000)
  const price = { inputPerMillion: 2, cachedInputPerMillion: 0.2, cacheWritePerMillion: 2.5, outputPerMillion: 10 }

  test('input, cached input, cache write and output have prices of their own', () => {
    assert.ok(Math.abs(computeCost(usage, price) - (0.3 * 2 + 0.6 * 0.2 + 0.1 * 2.5 + 0.05 * 10)) < 1e-9)
  })
  test('without prices of their own, cached tokens cost as much as others', () => {
    assert.ok(Math.abs(computeCost(usage, { inputPerMillion: 2, outputPerMillion: 10 }) - 2.5) < 1e-9)
  })
  test('a prompt above the step costs a multiple', () => {
    const step = { aboveTokens: 272_000, factor: 2 }
    const at = (tokens: number): number =>
      computeCost(counts(tokens, null, null, 0, null), { inputPerMillion: 1, outputPerMillion: 1, step })
    assert.equal(at(272_000), 0.272)
    assert.equal(at(300_000), 0.6)
  })
  test('reasoning is part of the output and is not counted twice', () => {
    const cost = computeCost(counts(0, null, null, 1_000_000, 900_000), price)
    assert.equal(cost, 10)
  })
  test('unknown counts cost nothing', () => assert.equal(computeCost(noUsage, price), 0))
})
