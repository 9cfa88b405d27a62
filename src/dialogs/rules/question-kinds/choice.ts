import { refuse } from '../../../errors/refuse.ts'
import type { QuestionKind, QuestionOption } from './kind.ts'
import { findLabel, findOption, findOptionFault } from './options.ts'
import { questionLimits } from './question-limits.ts'
import { kindWords } from './words.ts'

export type ChoiceItem = { kind: 'choice'; options: QuestionOption[] }

/** One of several options. Its answer is the value of the option. */
export const choiceKind: QuestionKind<ChoiceItem> = {
  about: 'one of the options',
  fields: { options: { type: 'options', isRequired: true, about: `2 to ${questionLimits.options} options` } },
  isTyped: false,
  findFault: ({ id, options }) => findOptionFault(id, options),
  check: ({ id, options }, value) =>
    options.some((option) => option.value === value)
      ? null
      : refuse('not_a_choice', { item: id, value: value.slice(0, 100), choices: options.map((option) => option.value).join(', ') }),
  parse: ({ options }, text) => findOption(options, text)?.value ?? null,
  describe: ({ options }, value) => findLabel(options, value),
  explain: (_, __, language) => kindWords[language].choice.missing,
  hint: ({ options }, language) => kindWords[language].choice.hint(options.map(({ label }) => label)),
  sample: ({ options }) => options[0]?.value ?? '',
  control: ({ options }) => ({ type: 'options', options }),
}
