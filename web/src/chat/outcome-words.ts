import type { QuestionEnd, QuestionItemView } from '../../../src/client/index.ts'
import type { QuestionOutcome, QuestionView } from '../../../src/client/wire.ts'
import type { Words } from '../words/en.ts'
import type { Times } from '../words/use-words.ts'
import { closerOf } from './author.ts'

/** Four different ends, four different sentences: nobody's silence is read as a no. */
export function outcomeWords(outcome: QuestionOutcome, { at, by, via }: QuestionEnd, words: Words, times: Times): string {
  const when = times.clock(at)
  const who = closerOf(by, words)
  const door = via === null || via === 'web' ? '' : ` (${words.chat.via(via)})`
  switch (outcome) {
    case 'answered':
      return words.question.answeredBy(who, when) + door
    case 'declined':
      return words.question.declinedBy(who, when) + door
    case 'cancelled':
      return words.question.cancelled(when)
    case 'expired':
      return words.question.expired(when)
  }
}

type Ended = Pick<QuestionView | QuestionItemView, 'state' | 'closed' | 'approval'>

/** What a person who comes too late reads about an approval; null while it is open. */
export function approvalEnd(ended: Ended, words: Words): string | null {
  const { state, closed } = ended
  if (state === 'open' || !closed) return null
  const decision = decisionOf(ended)
  if (state === 'answered' && decision !== null) return words.approval.late(closerOf(closed.by, words), labelOf(decision, words))
  return withdrawal(closed, words)
}

/** The record of a decision in the log. */
export function approvalRecord(ended: Ended, words: Words, times: Times): string {
  const { state, closed } = ended
  if (!closed) return ''
  const decision = decisionOf(ended)
  const when = times.clock(closed.at)
  if (state !== 'answered' || decision === null) return withdrawal(closed, words) ?? words.question.cancelled(when)
  const door = closed.via === null || closed.via === 'web' ? '' : ` (${words.chat.via(closed.via)})`
  return words.approval.decidedBy(labelOf(decision, words), closerOf(closed.by, words), when) + door
}

const withdrawal = ({ reason }: { reason: string | null }, words: Words): string | null =>
  reason === 'stopped' || reason === 'dialog declared dead' ? words.approval.stopped : reason === 'covered' ? words.approval.covered : null

type Decision = keyof Words['approval']['actions']

function decisionOf({ closed, approval }: Pick<Ended, 'closed' | 'approval'>): Decision | null {
  const found = approval?.decision ?? closed?.answers?.['decision']
  return found === 'once' || found === 'chat' || found === 'always' || found === 'deny' ? found : null
}

const labelOf = (decision: Decision, words: Words): string => words.approval.actions[decision].replace('…', '')
