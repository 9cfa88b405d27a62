import { ParleyError } from '../../errors.ts'
import type { Agent, GenerationInput } from '../../ports/agent-runtime.ts'
import { abandonLimits } from '../../streams/abandon.ts'
import { fewestTokens, type Heard } from './generation-cost.ts'

/** Bounds of one generation; `limits` in parley.yaml sets them. */
export type GenerationBounds = { thinkingTokens: number; generationSeconds: number; outputFactor: number }

export const generationBoundLimits = { thinkingTokens: 64_000, generationSeconds: 15 * 60, outputFactor: 2 } as const

/** Bounds of one generation: a budget, or the model's own setting, limits the output. */
export type Bounds = { thinkingTokens: number; timeMs: number; outputFactor: number; requestedTokens: number | null }

export function boundsFor(
  agent: Agent,
  { allowance }: Pick<GenerationInput, 'allowance'>,
  isReasoning: boolean,
  limits: GenerationBounds,
): Bounds {
  const { requestedOutputTokens, reasoningOutputTokens } = agent.spending ?? {}
  const configured = (isReasoning ? reasoningOutputTokens : undefined) ?? requestedOutputTokens
  const requested = Math.min(configured ?? Infinity, allowance?.outputTokens ?? Infinity)
  const { timeoutMs } = agent.runtime
  return {
    thinkingTokens: limits.thinkingTokens,
    // A runtime with a bound of its own is given the time to end itself first.
    timeMs: Math.max(limits.generationSeconds * 1_000, timeoutMs === undefined ? 0 : timeoutMs + abandonLimits.afterMs),
    outputFactor: limits.outputFactor,
    requestedTokens: requested === Infinity ? null : requested,
  }
}

/**
 * Throws when the generation is over a bound. The provider's own count is used where it gives one before the end; text
 * is counted as four bytes for a token, so that no reply within its bound is ended.
 */
export function checkBounds(heard: Heard, { thinkingTokens, outputFactor, requestedTokens }: Bounds): void {
  const thought = Math.max(heard.thinkingTokens ?? 0, fewestTokens(heard.thinkingBytes))
  if (thought > thinkingTokens) throw new ParleyError('thinking_too_long', { limit: thinkingTokens })
  if (requestedTokens === null) return
  const limit = Math.floor(requestedTokens * outputFactor)
  const written = Math.max(heard.usage?.outputTokens ?? 0, fewestTokens(heard.outputBytes - heard.thinkingBytes))
  if (written > limit) throw new ParleyError('output_too_long', { limit, factor: outputFactor })
}
