import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { questionLimits } from './question-limits.ts'
import { testKind } from './test/kind-properties.ts'
import { textKind } from './text.ts'

testKind(
  'text',
  fc.record({
    item: fc.constant({ id: 'a', text: 'Why?', kind: 'text' as const }),
    value: fc
      .string({ minLength: 1, maxLength: 100 })
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  }),
)

test('text: the limit is the last length that fits', () => {
  const item = { id: 'a', kind: 'text' as const }
  assert.equal(textKind.check(item, 'x'.repeat(questionLimits.answer)), null)
  assert.equal(textKind.check(item, 'x'.repeat(questionLimits.answer + 1))?.refused.code, 'text_too_long')
  assert.equal(textKind.explain(item, 'x'.repeat(questionLimits.answer + 1), 'en'), 'At most 20000 characters fit here.')
})
