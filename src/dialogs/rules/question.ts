import { type Refusal, refuse } from '../errors.ts'

/** The tool by which an agent asks a human; its question is its result. */
export const askHuman = 'askHuman'

/** What is asked of a human. One part is a plain question, several are a set answered together. */
export type Question = { text: string; items: QuestionItem[] }

export type QuestionItem = { id: string; text: string } & (
  | { kind: 'choice'; options: { value: string; label: string; hint?: string }[] }
  | { kind: 'text'; placeholder?: string }
)

/** One answer for each part, by its id: the value of a choice, or text. */
export type Answers = Record<string, string>

export type QuestionOutcome = 'answered' | 'declined' | 'cancelled' | 'expired'

export const questionLimits = { items: 20, options: 50, text: 4_000, value: 200, answer: 20_000 } as const

/** Why this is not a question a person could answer; null when it is one. */
export function faultOf(question: Question): string | null {
  const { items } = question
  if (items.length < 1 || items.length > questionLimits.items) return `it has ${items.length} parts`
  if (new Set(items.map((item) => item.id)).size !== items.length) return 'two parts have the same id'
  if (question.text.length > questionLimits.text) return 'its text is too long'
  for (const item of items) {
    if (item.id === '' || item.id.length > questionLimits.value) return 'a part has no usable id'
    if (item.text.trim() === '' && question.text.trim() === '') return 'a part has no text'
    if (item.text.length > questionLimits.text) return `the text of "${item.id}" is too long`
    if (item.kind === 'text') continue
    if (item.options.length < 2 || item.options.length > questionLimits.options) return `"${item.id}" has ${item.options.length} options`
    if (new Set(item.options.map((option) => option.value)).size !== item.options.length)
      return `two options of "${item.id}" have the same value`
    for (const option of item.options) {
      if (option.value === '' || option.label.trim() === '') return `an option of "${item.id}" is empty`
      if (option.value.length > questionLimits.value || option.label.length > questionLimits.text)
        return `an option of "${item.id}" is too long`
    }
  }
  return null
}

/** Checks a person's answers against the question; the given answers, trimmed of nothing, or the reason they do not fit. */
export function checkAnswers(question: Question, answers: Answers): { answers: Answers } | { refused: Refusal } {
  for (const id of Object.keys(answers)) {
    if (!question.items.some((item) => item.id === id)) return refuse('answer_unknown', { item: id })
  }
  const checked: Answers = {}
  for (const item of question.items) {
    const value = Object.hasOwn(answers, item.id) ? answers[item.id] : undefined
    if (value === undefined || value.trim() === '') return refuse('answer_missing', { item: item.id })
    if (item.kind === 'choice') {
      if (!item.options.some((option) => option.value === value)) {
        return refuse('not_a_choice', {
          item: item.id,
          value: value.slice(0, 100),
          choices: item.options.map((option) => option.value).join(', '),
        })
      }
    } else if (value.length > questionLimits.answer) {
      return refuse('text_too_long', { field: item.id, length: value.length, limit: questionLimits.answer })
    }
    checked[item.id] = value
  }
  return { answers: checked }
}

/** How an answer reads to people and models: the labels they saw, not the values behind them. */
export function readAnswers(question: Question, answers: Answers): string {
  const line = (item: QuestionItem): string => {
    const value = answers[item.id] ?? ''
    return item.kind === 'choice' ? (item.options.find((option) => option.value === value)?.label ?? value) : value
  }
  const [only] = question.items
  if (question.items.length === 1 && only) return line(only)
  return question.items.map((item) => `${item.text || item.id}: ${line(item)}`).join('\n')
}

/** How a person answers whether a root goes on that was told to look once more as often as it may be. */
export const diligenceAnswer = { item: 'decision', goOn: 'continue', leave: 'leave' } as const
