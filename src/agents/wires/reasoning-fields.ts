import type { ModelConfig } from '../../app/config/schema.ts'
import type { ModelFamily } from '../models/families.ts'
import type { Wire } from './wire.ts'

export type ReasoningSettings = Pick<ModelConfig, 'effort' | 'thinkingTokens' | 'showThinking'>
type Effort = NonNullable<ModelConfig['effort']>

/** Bounds for models that know no effort, only a number of tokens. */
const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
}

/** The fields that ask for reasoning, in the form that wire and family take. Without a setting the model decides. */
export function reasoningFields(
  wire: Wire,
  family: ModelFamily | null,
  { effort, thinkingTokens, showThinking }: ReasoningSettings,
  outputTokens: number | null,
): Record<string, unknown> {
  if (wire === 'anthropic') return anthropicFields(family, { effort, thinkingTokens, showThinking }, outputTokens)
  if (wire === 'responses') {
    const reasoning = { ...(effort && { effort }), ...(showThinking && { summary: 'auto' }) }
    return Object.keys(reasoning).length === 0 ? {} : { reasoning }
  }
  if (effort === undefined) return {}
  const isOff = effort === 'none'
  const style = family?.reasoning
  if (style === 'none') return {}
  if (style === 'thinking-type')
    return isOff ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, reasoning_effort: effort }
  if (style === 'toggle')
    return family?.name.startsWith('Qwen') ? { enable_thinking: !isOff } : { thinking: { type: isOff ? 'disabled' : 'enabled' } }
  return { reasoning_effort: effort }
}

function anthropicFields(
  family: ModelFamily | null,
  { effort, thinkingTokens, showThinking }: ReasoningSettings,
  outputTokens: number | null,
): Record<string, unknown> {
  if (family?.reasoning === 'adaptive') {
    if (effort === 'none') return family.alwaysThinks ? {} : { thinking: { type: 'disabled' } }
    const display = showThinking ? { display: 'summarized' } : {}
    const thinking = effort !== undefined || showThinking ? { thinking: { type: 'adaptive', ...display } } : {}
    return { ...thinking, ...(effort && { output_config: { effort } }) }
  }
  if (family?.reasoning === 'output-effort') return effort === undefined || effort === 'none' ? {} : { output_config: { effort } }
  const requestedTokens = thinkingTokens ?? (effort === undefined ? 0 : budgets[effort])
  // The bound of the output includes the reasoning, and must be larger.
  const budget = Math.min(requestedTokens, (outputTokens ?? Infinity) - 1)
  return budget < 1_024 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}
