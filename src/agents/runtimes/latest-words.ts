import type { ContextItem } from '../../dialog/state.ts'
import { outcomeInWords } from './messages.ts'

/** What an agent without memory has to react to: everything it was told, by people or another dialog, since it last spoke. */
export function latestWords(context: readonly ContextItem[]): string {
  const since = context.slice(context.findLastIndex((item) => item.kind === 'agent') + 1)
  const words = since.flatMap((item) => {
    if (item.kind === 'human' || item.kind === 'prompt') return [item.text]
    return item.kind === 'question' && item.outcome ? [outcomeInWords(item.ask, item.outcome)] : []
  })
  if (words.length > 0) return words.join('\n\n')
  // Asked to go on without anything new: the last thing that was wanted still is.
  return context.findLast((item) => item.kind === 'human' || item.kind === 'prompt')?.text ?? ''
}
