import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeAnswer, findQuestionFault, parseAnswer } from '../question.ts'
import { type ChoicesItem, choicesKind } from './choices.ts'
import { options } from './test/arbitrary-options.ts'
import { testKind } from './test/kind-properties.ts'

testKind(
  'choices',
  options.chain((all) =>
    fc.shuffledSubarray(all, { minLength: 1 }).map((chosen) => ({
      item: { id: 'a', text: 'Which?', kind: 'choices' as const, options: all, min: 1, max: chosen.length },
      value: chosen.map(({ value }) => value).join('\n'),
    })),
  ),
)

const pizza = (fields: Partial<ChoicesItem> = {}): ChoicesItem & { id: string; text: string } => ({
  id: 'toppings',
  text: 'Which toppings?',
  kind: 'choices',
  options: [
    { value: 'ham', label: 'Ham' },
    { value: 'olives', label: 'Black olives' },
    { value: 'corn', label: 'Corn' },
  ],
  ...fields,
})

const cases: [typed: string, item: ChoicesItem, value: string | null][] = [
  ['1, 3', pizza(), 'ham\ncorn'],
  ['3 1', pizza(), 'corn\nham'],
  ['1、3', pizza(), 'ham\ncorn'],
  ['1.\n2.', pizza(), 'ham\nolives'],
  ['ham; black OLIVES', pizza(), 'ham\nolives'],
  ['olives', pizza(), 'olives'],
  ['1, ham', pizza(), 'ham'],
  ['1, 4', pizza(), null],
  ['0', pizza(), null],
  ['ham and corn', pizza(), null],
  ['1', pizza({ min: 2 }), null],
  ['1, 2, 3', pizza({ max: 2 }), null],
]
for (const [typed, asked, value] of cases)
  test(`choices: ${JSON.stringify(typed)} is ${value === null ? 'refused' : JSON.stringify(value)}`, () =>
    assert.equal(parseAnswer({ id: 'a', text: '', ...asked }, typed, ''), value))

test('choices: labels with commas are listed one on each line', () => {
  const item = pizza({
    options: [
      { value: 'a', label: 'Yes, please' },
      { value: 'b', label: 'No' },
    ],
  })
  assert.equal(describeAnswer(item, 'a\nb', 'en'), 'Yes, please\nNo')
  assert.equal(parseAnswer(item, 'yes, please', ''), 'a')
})

test('choices: says how many fit, and lists them by number', () => {
  assert.equal(choicesKind.explain(pizza(), '', 'en'), 'Choose one or more.')
  assert.equal(choicesKind.explain(pizza({ min: 2, max: 2 }), '', 'en'), 'Choose exactly 2.')
  assert.equal(choicesKind.explain(pizza({ min: 2 }), '', 'zh'), '请至少选择 2 项。')
  assert.equal(choicesKind.explain(pizza({ max: 2 }), '', 'en'), 'Choose at most 2.')
  assert.equal(choicesKind.explain(pizza({ max: 2 }), '', 'zh'), '请最多选择 2 项。')
  assert.equal(choicesKind.explain(pizza({ min: 2, max: 2 }), '', 'zh'), '请选择 2 项。')
  assert.equal(choicesKind.hint(pizza(), 'en'), 'Choose one or more: 1. Ham, 2. Black olives, 3. Corn. Write the numbers, such as 1, 2.')
  assert.equal(describeAnswer(pizza(), 'corn\nham', 'zh'), 'Corn、Ham')
})

test('choices: unknown options, repeated options and wrong counts are refused', () => {
  assert.equal(choicesKind.check(pizza(), 'ham\nlead')?.refused.code, 'not_a_choice')
  assert.equal(choicesKind.check(pizza(), 'ham\nham')?.refused.code, 'bad_answer')
  assert.equal(choicesKind.check(pizza({ min: 2 }), 'ham')?.refused.code, 'bad_answer')
  assert.equal(choicesKind.check(pizza(), 'corn\nham'), null)
  assert.equal(choicesKind.check(pizza({ min: 3 }), 'ham\nolives')?.refused.details['value'], 'ham, olives')
})

test('choices: the sample has two options, or as many as fit', () => {
  assert.equal(choicesKind.sample(pizza()), 'Ham, Black olives')
  assert.equal(choicesKind.sample(pizza({ max: 1 })), 'Ham')
  assert.equal(choicesKind.sample(pizza({ min: 3 })), 'Ham, Black olives, Corn')
})

test('choices: a question that cannot be answered is refused', () => {
  const fault = (fields: Partial<ChoicesItem>): string => findQuestionFault({ text: '', items: [pizza(fields)] }) ?? ''
  assert.equal(fault({}), '')
  assert.match(fault({ min: 0 }), /below 1/)
  assert.match(fault({ min: 3, max: 2 }), /cannot be chosen/)
  assert.match(fault({ max: 4 }), /cannot be chosen/)
  assert.equal(fault({ max: 1 }), '')
  assert.match(
    fault({
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'a ' },
      ],
    }),
    /same label/,
  )
  assert.match(
    fault({
      options: [
        { value: 'a\n', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    }),
    /line break/,
  )
})
