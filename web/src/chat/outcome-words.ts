import type { QuestionEnd, QuestionItemView } from '../../../src/client/index.ts'
import type { QuestionOutcome, QuestionView } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import type { Times } from '../words/use-words.ts'
import { approvalTitle } from '../approvals/approval-title.ts'
import { withVisibleCharacters } from '../approvals/visible-characters.ts'
import { getCloser } from './author.ts'

/** Four different ends, four different sentences: silence is never read as a no. */
export function outcomeWords(outcome: QuestionOutcome, { at, by, via }: QuestionEnd, words: PageWords, times: Times): string {
  const when = times.clock(at)
  const who = getCloser(by, words)
  const surface = via === null || via === 'web' ? '' : words.chat.aside(words.chat.via(via))
  switch (outcome) {
    case 'answered':
      return words.question.answeredBy(who, when) + surface
    case 'declined':
      return words.question.declinedBy(who, when) + surface
    case 'cancelled':
      return words.question.cancelled(when)
    case 'expired':
      return words.question.expired(when)
  }
}

type Ended = Pick<QuestionView | QuestionItemView, 'state' | 'closed' | 'approval'>

/** Text about a closed approval; null while it is open. */
export function approvalEnd(ended: Ended, words: PageWords): string | null {
  const { state, closed } = ended
  if (state === 'open' || !closed) return null
  const decision = getDecision(ended)
  if (state === 'answered' && decision !== null) return words.approval.late(getCloser(closed.by, words), toLabel(decision, words))
  return withdrawal(closed, words)
}

/** In the language of the reader, also for one who may not see the call. */
export const getHeading = ({ approval, by, ask }: Pick<QuestionItemView, 'approval' | 'by' | 'ask'>, words: PageWords): string =>
  approval ? approvalTitle({ agent: by.name, approval }, words) : withVisibleCharacters(ask.text)

/** The record of a decision in the log. */
export function approvalRecord(ended: Ended, words: PageWords, times: Times): string {
  const { state, closed } = ended
  if (!closed) return ''
  const decision = getDecision(ended)
  const when = times.clock(closed.at)
  if (state !== 'answered' || decision === null) return withdrawal(closed, words) ?? words.question.cancelled(when)
  const surface = closed.via === null || closed.via === 'web' ? '' : words.chat.aside(words.chat.via(closed.via))
  return words.approval.decidedBy(toLabel(decision, words), getCloser(closed.by, words), when) + surface
}

const withdrawal = ({ why }: QuestionEnd, words: PageWords): string | null =>
  why === 'stopped' || why === 'dead' ? words.approval.stopped : why === 'covered' ? words.approval.covered : null

type Decision = keyof PageWords['approval']['actions']

function getDecision({ closed, approval }: Pick<Ended, 'closed' | 'approval'>): Decision | null {
  const match = approval?.decision ?? closed?.answers?.['decision']
  return match === 'once' || match === 'chat' || match === 'always' || match === 'deny' ? match : null
}

const toLabel = (decision: Decision, words: PageWords): string => words.approval.actions[decision].replace('…', '')
