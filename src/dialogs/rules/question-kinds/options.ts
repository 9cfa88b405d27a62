import type { QuestionOption } from './kind.ts'
import { questionLimits } from './question-limits.ts'

/** The reason why these options cannot be offered; null when they can. */
export function findOptionFault(id: string, options: readonly QuestionOption[]): string | null {
  if (options.length < 2 || options.length > questionLimits.options) return `"${id}" has ${options.length} options`
  if (new Set(options.map(({ value }) => value)).size !== options.length) return `two options of "${id}" have the same value`
  for (const { value, label } of options) {
    if (value === '' || label.trim() === '') return `an option of "${id}" is empty`
    if (value.length > questionLimits.value || label.length > questionLimits.text) return `an option of "${id}" is too long`
  }
  return null
}

const fold = (text: string): string => text.trim().toLocaleLowerCase()

/** The option a person means. Labels come first: they are what the person sees. */
export function findOption(options: readonly QuestionOption[], text: string): QuestionOption | undefined {
  const folded = fold(text)
  return options.find(({ label }) => fold(label) === folded) ?? options.find(({ value }) => value === text || value === text.trim())
}

export const findLabel = (options: readonly QuestionOption[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value
