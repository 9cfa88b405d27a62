import type { ClosedQuestion, ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { describeAnswers, type Question } from '../../dialogs/rules/question.ts'

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

/** Four outcomes, four texts: silence must never read as a no. */
function outcomeInWords(ask: Question, outcome: ClosedQuestion): string {
  const because = outcome.reason ? ` Their reason: ${outcome.reason}` : ''
  switch (outcome.outcome) {
    case 'answered':
      return describeAnswers(ask, outcome.answers ?? {})
    case 'declined':
      return `The human declined to answer.${because}`
    case 'cancelled':
      return `The question was cancelled before anybody answered; this is not a no.${because}`
    case 'expired':
      return 'The question expired without an answer; this is not a no.'
  }
}
