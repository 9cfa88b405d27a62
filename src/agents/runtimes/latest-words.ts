import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { outcomeInWords } from './messages.ts'

/** Input for an agent without memory: everything that people and other dialogs said since it last spoke. */
export function latestWords(context: readonly ContextItem[]): string {
  const since = context.slice(context.findLastIndex((item) => item.kind === 'agent') + 1)
  const words = since.flatMap((item) => {
    if (item.kind === 'human' || item.kind === 'prompt') return [item.text]
    return item.kind === 'question' && item.outcome ? [outcomeInWords(item.ask, item.outcome)] : []
  })
  if (words.length > 0) return words.join('\n\n')
  // Continued without new input: the last request is still the current one.
  return context.findLast((item) => item.kind === 'human' || item.kind === 'prompt')?.text ?? ''
}
