import { findFamily } from './families.ts'
import { findByPrefix } from './name-prefix.ts'
import type { ModelPrice } from './price.ts'

/** The month in which these prices were read. They change, so they are proposed and never used without a person. */
export const pricesSeen = '2026-11'

/** USD for a million tokens; null where a variant has a price of its own that is not known. */
type Row = { prefixes: readonly string[]; price: { input: number; output: number; cached?: number; above?: [number, number] } | null }

const rows: readonly Row[] = [
  { prefixes: ['gpt-6-sol'], price: { input: 2, output: 10 } },
  { prefixes: ['gpt-6-luna'], price: { input: 0.1, output: 0.5 } },
  { prefixes: ['gpt-5.6-sol'], price: { input: 4, output: 20 } },
  { prefixes: ['gpt-5.6-luna'], price: { input: 0.2, output: 1.2 } },
  { prefixes: ['gpt-5.5'], price: { input: 5, output: 30 } },
  { prefixes: ['gpt-5.4'], price: { input: 2.5, output: 15, cached: 0.25 } },
  { prefixes: ['gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.4-pro', 'gpt-5.5-mini', 'gpt-5.5-nano', 'gpt-5.5-pro'], price: null },
  { prefixes: ['claude-fable-5-1'], price: { input: 10, output: 50 } },
  { prefixes: ['claude-opus-5-5'], price: { input: 4, output: 20, cached: 0.2 } },
  { prefixes: ['claude-sonnet-5-5'], price: { input: 2, output: 10 } },
  { prefixes: ['claude-haiku-5-5'], price: { input: 0.1, output: 0.5, above: [100_000, 5] } },
  { prefixes: ['gemini-3.1-pro'], price: { input: 2, output: 12 } },
  { prefixes: ['gemini-3.5-flash'], price: { input: 1.5, output: 9 } },
  { prefixes: ['gemini-3.5-flash-lite'], price: null },
  { prefixes: ['deepseek-v4-pro'], price: { input: 0.435, output: 0.87 } },
  { prefixes: ['deepseek-v4-flash'], price: { input: 0.14, output: 0.28 } },
  { prefixes: ['mistral-medium'], price: { input: 1.5, output: 7.5, cached: 0.15 } },
  { prefixes: ['mistral-large'], price: { input: 0.5, output: 1.5, cached: 0.05 } },
  { prefixes: ['grok-4.3'], price: { input: 1.25, output: 2.5 } },
  { prefixes: ['kimi-k2.6'], price: { input: 0.95, output: 4 } },
  { prefixes: ['glm-5.2'], price: { input: 1.4, output: 4.4 } },
]

const toCents = (amount: number): number => Math.round(amount * 10_000) / 10_000

/** The last known price of a model, to be proposed; null where none is known. */
export function findKnownPrice(model: string, cacheTtl: '5m' | '1h' = '5m'): ModelPrice | null {
  const price = findByPrefix(rows, model)?.price
  if (!price) return null
  const { input, output, cached, above } = price
  const family = findFamily(model)
  const isMarked = family?.cache === 'cache_control'
  const read = cached ?? (isMarked ? toCents(input * 0.1) : undefined)
  const step = above ? { aboveTokens: above[0], factor: above[1] } : family?.priceStep
  return {
    inputPerMillion: input,
    ...(read !== undefined && { cachedInputPerMillion: read }),
    ...(isMarked && { cacheWritePerMillion: toCents(input * (cacheTtl === '1h' ? 2 : 1.25)) }),
    outputPerMillion: output,
    ...(step && { step }),
  }
}
