import type { DialogView } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'

/** Names the rest a root dialog is in; null while the agent works, a question is open, or something was just written. */
export function getRest({ status, origin, questions, queued, items }: DialogView, letters: readonly Letter[]): string | null {
  if (status !== 'ready' || origin !== null || questions.length > 0 || queued.length > 0 || letters.length > 0) return null
  const last = items.findLast((item) => item.kind === 'message')
  return last?.by.kind === 'agent' ? last.id : null
}
