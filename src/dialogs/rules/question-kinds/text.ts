import { refuse } from '../../../errors/refuse.ts'
import type { QuestionKind } from './kind.ts'
import { questionLimits } from './question-limits.ts'
import { kindWords } from './words.ts'

export type TextItem = { kind: 'text'; placeholder?: string }

/** Free text. */
export const textKind: QuestionKind<TextItem> = {
  about: 'free text',
  fields: { placeholder: { type: 'string', about: 'an example of an answer' } },
  isTyped: true,
  findFault: () => null,
  check: ({ id }, value) =>
    value.length > questionLimits.answer
      ? refuse('text_too_long', { field: id, length: value.length, limit: questionLimits.answer })
      : null,
  parse: (_, text) => (text.trim() === '' ? null : text.trim()),
  describe: (_, value) => value,
  explain: (_, value, language) => {
    const { missing, tooLong } = kindWords[language].text
    return value.trim() === '' ? missing : tooLong(questionLimits.answer)
  },
  hint: () => '',
  sample: () => '',
  control: ({ placeholder }) => ({ type: 'field', lines: 'many', keyboard: 'text', placeholder }),
}
