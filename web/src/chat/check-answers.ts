import type { Answers, Question } from '../../../src/client/wire.ts'
import type { Words } from '../words/en.ts'

const mostChars = 20_000

/** What is still wrong with each part, by its id, in words; an empty object when it can be sent. */
export function faultsOf({ items }: Question, answers: Answers, words: Words): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const item of items) {
    const value = answers[item.id] ?? ''
    if (value.trim() === '') faults[item.id] = item.kind === 'choice' ? words.question.chooseOne : words.question.writeSomething
    else if (value.length > mostChars) faults[item.id] = words.question.tooLong(mostChars)
  }
  return faults
}

export const answeredCount = ({ items }: Question, answers: Answers): number =>
  items.filter(({ id }) => (answers[id] ?? '').trim() !== '').length
