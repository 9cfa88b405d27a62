import { type Refusal, refuse } from '../../errors/refuse.ts'
import type { Language } from '../../shapes/language.ts'
import type { QuestionControl, QuestionOption } from './question-kinds/kind.ts'
import { questionLimits } from './question-kinds/question-limits.ts'
import { findKind, type QuestionItem } from './question-kinds/registry.ts'

export { questionKinds } from './question-kinds/registry.ts'
export type { QuestionItem } from './question-kinds/registry.ts'
export type { ItemField, QuestionControl, QuestionOption } from './question-kinds/kind.ts'
export { questionLimits }

/** The tool by which an agent asks a human; its question is its result. */
export const askHuman = 'askHuman'

/** A question to a human. Several items are a set that is answered together. */
export type Question = { text: string; items: QuestionItem[] }

/** One answer for each item, by its id, in the stored form of its kind. */
export type Answers = Record<string, string>

export type QuestionOutcome = 'answered' | 'declined' | 'cancelled' | 'expired'

/** The reason why this question cannot be answered; null when it is well formed. */
export function findQuestionFault(question: Question): string | null {
  const { items } = question
  if (items.length < 1 || items.length > questionLimits.items) return `it has ${items.length} parts`
  if (new Set(items.map((item) => item.id)).size !== items.length) return 'two parts have the same id'
  if (question.text.length > questionLimits.text) return 'its text is too long'
  for (const item of items) {
    if (item.id === '' || item.id.length > questionLimits.value) return 'a part has no usable id'
    if (item.text.trim() === '' && question.text.trim() === '') return 'a part has no text'
    if (item.text.length > questionLimits.text) return `the text of "${item.id}" is too long`
    const fault = findKind(item).findFault(item)
    if (fault !== null) return fault
  }
  return null
}

/** Compares answers with the question. Returns them unchanged, or the reason why they do not fit. */
export function checkAnswers(question: Question, answers: Answers): { answers: Answers } | { refused: Refusal } {
  for (const id of Object.keys(answers)) {
    if (!question.items.some((item) => item.id === id)) return refuse('answer_unknown', { item: id })
  }
  const checked: Answers = {}
  for (const item of question.items) {
    const value = Object.hasOwn(answers, item.id) ? answers[item.id] : undefined
    if (value === undefined || value.trim() === '') return refuse('answer_missing', { item: item.id })
    const refusal = findKind(item).check(item, value)
    if (refusal) return refusal
    checked[item.id] = value
  }
  return { answers: checked }
}

/** The answers as people and models read them: with the labels they saw, not the values behind them. */
export function describeAnswers(question: Question, answers: Answers, language: Language = 'en'): string {
  const [only] = question.items
  if (question.items.length === 1 && only) return describeAnswer(only, answers[only.id] ?? '', language)
  return question.items.map((item) => `${item.text || item.id}: ${describeAnswer(item, answers[item.id] ?? '', language)}`).join('\n')
}

export const describeAnswer = (item: QuestionItem, value: string, language: Language): string =>
  findKind(item).describe(item, value, language)

/** The fault of this value as a sentence; null when it can be sent. */
export function explainAnswer(item: QuestionItem, value: string, language: Language): string | null {
  const kind = findKind(item)
  return value.trim() !== '' && kind.check(item, value) === null ? null : kind.explain(item, value, language)
}

/** Typed text in the stored form; null when it is no answer or could mean two. `today` is an ISO date. */
export function parseAnswer(item: QuestionItem, text: string, today: string): string | null {
  if (text.trim() === '' || text.length > questionLimits.answer) return null
  const kind = findKind(item)
  const value = kind.parse(item, text, today)
  return value === null || kind.check(item, value) ? null : value
}

/** Format of a typed answer, as a sentence; empty when any text is accepted. */
export const answerHint = (item: QuestionItem, language: Language): string => findKind(item).hint(item, language)

/** A typed answer that fits, for command lines; empty when anything goes. */
export const sampleAnswer = (item: QuestionItem): string => findKind(item).sample(item)

export const controlFor = (item: QuestionItem): QuestionControl => findKind(item).control(item)

/** The options of an item; none for a kind that has no options. */
export function listOptions(item: QuestionItem | undefined): readonly QuestionOption[] {
  const control = item && controlFor(item)
  return control && 'options' in control ? control.options : []
}

/** The answer holds text of its author: an option is one of the agent's own words, typed text is not. */
export const isTypedAnswer = (item: QuestionItem): boolean => findKind(item).isTyped

/** The answers to the question whether a root continues after its last diligence push. */
export const diligenceAnswer = { item: 'decision', goOn: 'continue', leave: 'leave' } as const
