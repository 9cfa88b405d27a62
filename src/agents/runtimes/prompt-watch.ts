import { observePrompt, type PromptGrowth } from '../models/silent-cut.ts'
import type { RequestPlan } from './request-plan.ts'

/** The prompt count of one request of a dialog. */
export type PromptCount = { dialog: string; epoch: number; tokens: number | null; listBytes: number }

/** `previous` measures the request before, as the log has it: a process that was killed has counted it. */
export type PromptWatch = (plan: RequestPlan, count: PromptCount, previous: () => PreviousCount | null) => void

export type PreviousCount = { tokens: number; listBytes: number }

/** Dialogs that are watched at a time; the one that was silent for longest goes. */
export const watchLimits = { dialogs: 1_000 } as const

/** Finds servers that cut a long prompt without a word, and remembers their window. */
export function promptWatch(): PromptWatch {
  const entries = new Map<string, { epoch: number; growth: PromptGrowth | null }>()
  return (plan, { dialog, epoch, tokens, listBytes }, previous) => {
    const before = entries.get(dialog)
    const lastGrowth = before?.epoch === epoch ? before.growth : startFrom(previous())
    const { growth, windowTokens } = observePrompt(lastGrowth, { tokens, listBytes })
    entries.delete(dialog)
    entries.set(dialog, { epoch, growth })
    for (const oldest of entries.keys()) {
      if (entries.size <= watchLimits.dialogs) break
      entries.delete(oldest)
    }
    if (windowTokens !== null) plan.learnWindow(windowTokens, true)
  }
}

const startFrom = (count: PreviousCount | null): PromptGrowth | null => (count === null ? null : observePrompt(null, count).growth)
