import type { QuestionEnd } from '../../../src/client/index.ts'
import type { QuestionOutcome } from '../../../src/client/wire.ts'
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
