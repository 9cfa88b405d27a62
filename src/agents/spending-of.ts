import type { Config, ModelConfig } from '../config/schema.ts'
import type { Spending } from '../ports/agent-runtime.ts'

export const spendingLimits = { outputTokens: 4_096, promptOverheadTokens: 32_000 } as const

/** What this model costs and how a budget is kept with it. Without a bound on its reply no budget could be, so there is one. */
export function spendingOf(budget: Config['team']['budget'], model: ModelConfig): Spending | undefined {
  if (!budget && !model.price) return undefined
  const { tokens, money } = budget ?? {}
  return {
    budget: { ...(tokens === undefined ? {} : { tokens }), ...(money === undefined ? {} : { money }) },
    ...(model.price ? { price: model.price } : {}),
    maxOutputTokens: model.maxOutputTokens ?? spendingLimits.outputTokens,
    promptOverheadTokens: spendingLimits.promptOverheadTokens,
  }
}
