import { observePrompt, type PromptGrowth } from '../models/silent-cut.ts'
import type { RequestPlan } from './request-plan.ts'

/** The prompt count of one request of a dialog. */
export type PromptCount = { dialog: string; epoch: number; tokens: number | null; listBytes: number }

export type PromptWatch = (plan: RequestPlan, count: PromptCount) => void

/** Dialogs that are watched at a time; the one that was silent for longest goes. */
export const watchLimits = { dialogs: 1_000 } as const

/** Finds servers that cut a long prompt without a word, and remembers their window. */
export function promptWatch(): PromptWatch {
  const seen = new Map<string, { epoch: number; growth: PromptGrowth | null }>()
  return (plan, { dialog, epoch, tokens, listBytes }) => {
    const before = seen.get(dialog)
    const { growth, windowTokens } = observePrompt(before?.epoch === epoch ? before.growth : null, { tokens, listBytes })
    seen.delete(dialog)
    seen.set(dialog, { epoch, growth })
    for (const oldest of seen.keys()) {
      if (seen.size <= watchLimits.dialogs) break
      seen.delete(oldest)
    }
    if (windowTokens !== null) plan.learnWindow(windowTokens)
  }
}
