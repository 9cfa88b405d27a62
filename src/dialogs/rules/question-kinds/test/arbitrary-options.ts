import fc from 'fast-check'
import type { QuestionOption } from '../kind.ts'

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && !/[\r\n\u2028\u2029]/.test(text))

/** Options that a person can tell apart. */
export const options: fc.Arbitrary<QuestionOption[]> = fc.uniqueArray(fc.record({ value: word, label: word }), {
  minLength: 2,
  maxLength: 8,
  comparator: (a, b) => a.value === b.value || a.label.trim().toLocaleLowerCase() === b.label.trim().toLocaleLowerCase(),
})
