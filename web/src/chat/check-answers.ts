import { controlFor, explainAnswer, parseAnswer, toIsoDate } from '../../../src/client/index.ts'
import type { Answers, Language, Question } from '../../../src/shapes/wire.ts'

/** The answers as they are stored: a number or a date may be typed in several ways. */
export function toStoredAnswers({ items }: Question, answers: Answers, today: string = toIsoDate(Date.now())): Answers {
  const stored = { ...answers }
  for (const item of items) {
    const control = controlFor(item)
    const typed = answers[item.id]
    if (control.type === 'field' && control.lines === 'one' && typed !== undefined)
      stored[item.id] = parseAnswer(item, typed, today) ?? typed
  }
  return stored
}

/** Faults of the answers by item, as sentences; empty when they can be sent. */
export function findFaults({ items }: Question, answers: Answers, language: Language): Record<string, string> {
  return Object.fromEntries(
    items.flatMap((item) => {
      const fault = explainAnswer(item, answers[item.id] ?? '', language)
      return fault === null ? [] : [[item.id, fault]]
    }),
  )
}

export const answeredCount = ({ items }: Question, answers: Answers): number =>
  items.filter(({ id }) => (answers[id] ?? '').trim() !== '').length
