import type { TokenUsage } from './usage.ts'

/** Per million tokens, in the currency of the budget. */
export type ModelPrice = {
  inputPerMillion: number
  /** Without it, cached tokens cost as much as others. */
  cachedInputPerMillion?: number | undefined
  cacheWritePerMillion?: number | undefined
  outputPerMillion: number
  /** A request whose prompt is larger than `aboveTokens` costs `factor` times as much. */
  step?: { aboveTokens: number; factor: number } | undefined
}

const million = 1_000_000

/** The cost of one generation. Counts that are not known cost nothing here: the caller estimates them. */
export function computeCost(usage: TokenUsage, price: ModelPrice): number {
  const input = usage.inputTokens ?? 0
  const cached = Math.min(usage.cachedTokens ?? 0, input)
  const written = Math.min(usage.cacheWriteTokens ?? 0, input - cached)
  const { inputPerMillion, cachedInputPerMillion = inputPerMillion, cacheWritePerMillion = inputPerMillion, outputPerMillion, step } = price
  const cost =
    (input - cached - written) * inputPerMillion +
    cached * cachedInputPerMillion +
    written * cacheWritePerMillion +
    (usage.outputTokens ?? 0) * outputPerMillion
  return (cost / million) * (step && input > step.aboveTokens ? step.factor : 1)
}

/** The most that this many tokens can cost: all input at its dearest price. */
export function computeWorstCost({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }, price: ModelPrice): number {
  const { inputPerMillion, cachedInputPerMillion = 0, cacheWritePerMillion = 0, outputPerMillion, step } = price
  const dearest = Math.max(inputPerMillion, cachedInputPerMillion, cacheWritePerMillion)
  const factor = step && inputTokens > step.aboveTokens ? Math.max(1, step.factor) : 1
  return ((inputTokens * dearest + outputTokens * outputPerMillion) / million) * factor
}
