import type { AgentWindow } from '../../ports/agent-runtime.ts'
import { findFamily } from './families.ts'
import type { ProbedWindow } from './probe.ts'

/** Limits of a model that neither the configuration nor a probe, an error or the table of families describes. */
export const unknownModelLimits = { windowTokens: 32_768, outputTokens: 4_096 } as const

export type WindowSources = {
  /** `contextLength` of the configuration. */
  configured?: number | undefined
  probed?: ProbedWindow | null | undefined
  /** From an overflow error of this model. */
  learned?: number | null | undefined
}

export type ModelWindow = AgentWindow & { problem: 'window unknown' | null }

const isCount = (value: number | null | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0

/** The first source that knows the window decides. A loaded window counts; the maximum of a model is only an upper bound. */
export function resolveWindow(model: string, { configured, probed, learned }: WindowSources): ModelWindow {
  const family = findFamily(model)
  const build = (windowTokens: number, source: ModelWindow['source']): ModelWindow => ({
    windowTokens,
    inputLimitTokens: family && windowTokens <= family.windowTokens ? Math.min(windowTokens, family.inputLimitTokens) : windowTokens,
    maxOutputTokens: family ? family.maxOutputTokens : source === 'unknown' ? unknownModelLimits.outputTokens : null,
    source,
    problem: source === 'unknown' ? 'window unknown' : null,
  })
  if (isCount(configured)) return build(configured, 'configured')
  if (probed?.isLoaded && isCount(probed.windowTokens)) return build(probed.windowTokens, 'probed')
  const most = isCount(probed?.windowTokens) ? probed.windowTokens : Infinity
  if (isCount(learned)) return build(Math.min(learned, most), 'learned')
  return family ? build(Math.min(family.windowTokens, most), 'table') : build(Math.min(unknownModelLimits.windowTokens, most), 'unknown')
}
