import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { choiceKind } from './choice.ts'
import { options } from './test/arbitrary-options.ts'
import { testKind } from './test/kind-properties.ts'

testKind(
  'choice',
  options.chain((all) =>
    fc.record({
      item: fc.constant({ id: 'a', text: 'Which?', kind: 'choice' as const, options: all }),
      value: fc.constantFrom(...all.map(({ value }) => value)),
    }),
  ),
)

const size = {
  id: 'size',
  text: '',
  kind: 'choice' as const,
  options: [
    { value: 's', label: 'Small' },
    { value: 'small', label: 'Tiny' },
  ],
}

test('choice: a label beats the value of another option', () => {
  assert.equal(choiceKind.parse(size, 'SMALL', ''), 's')
  assert.equal(choiceKind.parse(size, 'tiny', ''), 'small')
  assert.equal(choiceKind.parse(size, 'large', ''), null)
})
