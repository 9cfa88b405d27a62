import type { AskedQuestion } from '../rules/decide-question.ts'
import { findQuestionFault, type Question } from '../rules/question.ts'

/**
 * Questions of several calls of one generation become one question with numbered parts: a person is
 * interrupted once. `together` are the calls whose answer is found at the first one. Questions that do not fit into
 * one stay separate.
 */
export function mergedQuestions(asked: readonly AskedQuestion[]): { questions: AskedQuestion[]; together: string[] } {
  const byCall = asked.filter((each) => each.call !== null)
  const [first, ...rest] = byCall
  if (!first || rest.length === 0) return { questions: [...asked], together: [] }
  const ask: Question = {
    text: byCall.map((each, index) => `${index + 1}. ${each.ask.text}`).join('\n'),
    items: byCall.flatMap((each, index) =>
      each.ask.items.map((item) => ({ ...item, id: `${index + 1}.${item.id}`, text: `${index + 1}. ${item.text}`.trim() })),
    ),
  }
  if (findQuestionFault(ask) !== null) return { questions: [...asked], together: [] }
  const ends = byCall.flatMap((each) => (each.expiresAt === null ? [] : [each.expiresAt]))
  // A part for the owner makes the whole set one for the owner.
  const to = byCall.find((each) => each.to === 'owner')?.to ?? first.to
  const one: AskedQuestion = { ...first, ask, expiresAt: ends.length === 0 ? null : Math.min(...ends), ...(to === undefined ? {} : { to }) }
  const others = asked.filter((each) => each.call === null)
  return { questions: [one, ...others], together: rest.flatMap((each) => each.call ?? []) }
}
