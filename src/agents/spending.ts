import type { ModelConfig, ModelMemberConfig } from '../app/config/schema.ts'
import { type Budget, type BudgetLimits, type BudgetScope, budgetScopes } from '../dialogs/rules/budget-scopes.ts'
import type { Spending } from '../ports/agent-runtime.ts'
import { computeWorstCost } from './models/price.ts'

export const spendingLimits = { outputTokens: 4_096, promptOverheadTokens: 8_000 } as const

/**
 * The prices of a model and the limits that keep a budget. Without a bound on its reply no budget could be kept, so there
 * is one. A model without a budget is metered too: its generations are counted the same way.
 */
export function toSpending(
  budgets: Partial<Record<BudgetScope, BudgetSetting | undefined>>,
  model: ModelConfig,
  reasoning?: ModelMemberConfig['fbrModelParams'],
  fallback?: Pick<ModelConfig, 'price'>,
): Spending {
  const { price } = model
  return {
    budgets: toLimits(budgets),
    ...(price && {
      price,
      // Either of them may be the one that answers.
      worstCost: (worst) => Math.max(computeWorstCost(worst, price), fallback?.price ? computeWorstCost(worst, fallback.price) : 0),
    }),
    ...(model.maxOutputTokens === undefined ? {} : { requestedOutputTokens: model.maxOutputTokens }),
    ...(reasoning?.maxOutputTokens === undefined ? {} : { reasoningOutputTokens: reasoning.maxOutputTokens }),
    maxOutputTokens: model.maxOutputTokens ?? spendingLimits.outputTokens,
    promptOverheadTokens: spendingLimits.promptOverheadTokens,
  }
}

function toLimits(budgets: Partial<Record<BudgetScope, BudgetSetting | undefined>>): BudgetLimits {
  const limits: { [Scope in BudgetScope]?: Budget } = {}
  for (const scope of budgetScopes) {
    const set = budgets[scope]
    if (set) limits[scope] = withoutUnset(set)
  }
  return limits
}

type BudgetSetting = { tokens?: number | undefined; money?: number | undefined }

const withoutUnset = ({ tokens, money }: BudgetSetting): Budget => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(money === undefined ? {} : { money }),
})
