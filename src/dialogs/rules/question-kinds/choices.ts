import { refuse } from '../../../errors/refuse.ts'
import type { QuestionKind, QuestionOption } from './kind.ts'
import { findLabel, findOption, findOptionFault } from './options.ts'
import { questionLimits } from './question-limits.ts'
import { kindWords } from './words.ts'

export type ChoicesItem = { kind: 'choices'; options: QuestionOption[]; min?: number; max?: number }

const separators = /[,，、;；]/

/** Several of the options. Its answer is their values, one on each line. */
export const choicesKind: QuestionKind<ChoicesItem> = {
  about: 'one or several of the options',
  fields: {
    options: { type: 'options', isRequired: true, about: `2 to ${questionLimits.options} options` },
    min: { type: 'integer', about: 'how many at least; 1 by default' },
    max: { type: 'integer', about: 'how many at most' },
  },
  isTyped: false,
  findFault({ id, options, ...bounds }) {
    const fault = findOptionFault(id, options)
    if (fault !== null) return fault
    if (options.some(({ value, label }) => /[\r\n]/.test(value + label))) return `an option of "${id}" has a line break`
    if (new Set(options.map(({ label }) => label.trim().toLocaleLowerCase())).size < options.length)
      return `two options of "${id}" have the same label`
    const { min = 1, max = options.length } = bounds
    if (min < 1) return `the min of "${id}" is below 1; add an option for none instead`
    return min > max || max > options.length ? `${min} to ${max} of ${options.length} options cannot be chosen in "${id}"` : null
  },
  check(item, value) {
    const values = value.split('\n')
    const unknown = values.find((one) => !item.options.some((option) => option.value === one))
    if (unknown !== undefined)
      return refuse('not_a_choice', {
        item: item.id,
        value: unknown.slice(0, 100),
        choices: item.options.map((option) => option.value).join(', '),
      })
    const { min, max } = bounds(item)
    if (new Set(values).size === values.length && values.length >= min && values.length <= max) return null
    return refuse('bad_answer', {
      item: item.id,
      value: values.join(', ').slice(0, 100),
      expected: kindWords.en.choices.count(bounds(item)),
    })
  },
  parse({ options }, text) {
    const values = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : readLine(options, line.trim())))
    return values.length === 0 || values.includes(null) ? null : [...new Set(values)].join('\n')
  },
  describe({ options }, value, language) {
    const labels = value.split('\n').map((one) => findLabel(options, one).trim())
    // A label with a comma in it could not be told from two labels.
    const isListed = options.some(({ value: own, label }) => separators.test(own + label))
    return labels.join(isListed ? '\n' : kindWords[language].choices.separator)
  },
  explain: (item, _, language) => kindWords[language].choices.count(bounds(item)),
  hint: (item, language) =>
    kindWords[language].choices.hint(
      item.options.map(({ label }) => label),
      bounds(item),
    ),
  sample: (item) =>
    choicesKind.describe(
      item,
      item.options
        .slice(0, Math.min(bounds(item).max, Math.max(bounds(item).min, 2)))
        .map(({ value }) => value)
        .join('\n'),
      'en',
    ),
  control: (item) => ({ type: 'checks', options: item.options, ...bounds(item) }),
}

const bounds = ({ options, min = 1, max = options.length }: ChoicesItem): { min: number; max: number; all: number } => ({
  min,
  max,
  all: options.length,
})

/** A line is one option, or several with commas between them: by label, by value, or by number. */
function readLine(options: readonly QuestionOption[], line: string): (string | null)[] {
  const whole = readOne(options, line)
  if (whole !== null) return [whole]
  const words = separators.test(line) ? line.split(separators) : /^[\d ]+$/.test(line) ? line.split(' ') : [line]
  return words.map((word) => word.trim()).flatMap((word) => (word === '' ? [] : [readOne(options, word)]))
}

function readOne(options: readonly QuestionOption[], word: string): string | null {
  const named = findOption(options, word)
  if (named) return named.value
  return /^\d{1,2}\.?$/.test(word) ? (options[Number.parseInt(word, 10) - 1]?.value ?? null) : null
}
