import { type Refusal, refuse } from '../../errors.ts'
import type { SetQuestion } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { cleanText } from './clean-text.ts'
import type { OpenQuestion } from './rules.ts'
import type { AnswerWords } from './turn-input.ts'

/** By question id. */
export type Answers = Record<string, string>

/** The questions a person sees, also where only one was asked. */
export const listQuestions = (open: OpenQuestion): readonly SetQuestion[] => (open.kind === 'one' ? [open.ask] : open.ask.questions)

export const idOfQuestion = (open: OpenQuestion): string => (open.kind === 'one' ? open.ask.question_id : open.ask.question_set_id)

/** The answers as they are kept, a choice by the id of its option; or why they do not fit (T11). */
export function checkAnswers(open: OpenQuestion, given: Answers): { answers: Answers } | { refused: Refusal } {
  const questions = listQuestions(open)
  for (const id of Object.keys(given)) {
    if (!questions.some((question) => question.question_id === id)) return refuse('answer_unknown', { item: id.slice(0, 100) })
  }
  const answers: Answers = {}
  for (const question of questions) {
    const id = question.question_id
    const value = Object.hasOwn(given, id) ? cleanText(given[id] ?? '').trim() : ''
    if (value === '') return refuse('answer_missing', { item: id })
    if (value.length > buildLimits.answerChars)
      return refuse('text_too_long', { field: id, length: value.length, limit: buildLimits.answerChars })
    const fitting = question.input === 'text' ? value : chosen(question, value)
    if (fitting === null) {
      const choices = (question.options ?? []).map((option) => option.id).join(', ')
      return refuse('not_a_choice', { item: id, value: value.slice(0, 100), choices })
    }
    answers[id] = fitting
  }
  return { answers }
}

/** Checked answers in the words of the question: a choice by its label, not by its id. */
export const answerWords = (open: OpenQuestion, answers: Answers): AnswerWords[] =>
  listQuestions(open).map(({ question_id: id, prompt, options = [] }) => {
    const given = (Object.hasOwn(answers, id) ? answers[id] : undefined) ?? ''
    return { question: prompt, answer: options.find((option) => option.id === given)?.label ?? given }
  })

/** An id wins over a label, so that an option called like another one's id cannot be chosen by accident. */
function chosen({ options = [] }: SetQuestion, value: string): string | null {
  const fold = (text: string): string => text.normalize('NFC').toLowerCase().trim()
  const labelled = options.filter((option) => fold(option.label) === fold(value))
  return options.find((option) => option.id === value)?.id ?? (labelled.length === 1 ? (labelled[0]?.id ?? null) : null)
}
