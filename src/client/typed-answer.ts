import { type Answers, parseAnswer, type Question } from '../dialogs/rules/question.ts'

/** An open question as far as typed words can answer it. */
type Answerable = { ask: Question; isApproval?: boolean }

/** The one question that these words could answer, with the answer; null when there is none or more than one. Approvals are tapped. */
export function findTypedAnswer<Open extends Answerable>(
  questions: readonly Open[],
  text: string,
  today: string,
): { question: Open; answers: Answers } | null {
  const [question, ...others] = questions.filter(({ isApproval }) => !isApproval)
  const [item, ...parts] = question?.ask.items ?? []
  if (!question || others.length > 0 || !item || parts.length > 0) return null
  const value = parseAnswer(item, text, today)
  return value === null ? null : { question, answers: { [item.id]: value } }
}
