import type { Config, ModelConfig, ModelMemberConfig } from '../app/config/schema.ts'
import type { Spending } from '../ports/agent-runtime.ts'
import { computeCost, computeWorstCost } from './models/price.ts'
import { noUsage } from './models/usage.ts'

export const spendingLimits = { outputTokens: 4_096, promptOverheadTokens: 32_000 } as const

/**
 * The prices of a model and the limits that keep a budget. Without a bound on its reply no budget could be kept, so there
 * is one. A model without a budget is metered too: its generations are counted the same way.
 */
export function toSpending(
  budget: Config['team']['budget'],
  model: ModelConfig,
  reasoning?: ModelMemberConfig['fbrModelParams'],
): Spending {
  const { tokens, money } = budget ?? {}
  const { price } = model
  return {
    budget: { ...(tokens === undefined ? {} : { tokens }), ...(money === undefined ? {} : { money }) },
    ...(price && {
      price,
      cost: (usage) => computeCost({ ...noUsage, ...usage }, price),
      worstCost: (worst) => computeWorstCost(worst, price),
    }),
    ...(model.maxOutputTokens === undefined ? {} : { requestedOutputTokens: model.maxOutputTokens }),
    ...(reasoning?.maxOutputTokens === undefined ? {} : { reasoningOutputTokens: reasoning.maxOutputTokens }),
    maxOutputTokens: model.maxOutputTokens ?? spendingLimits.outputTokens,
    promptOverheadTokens: spendingLimits.promptOverheadTokens,
  }
}
