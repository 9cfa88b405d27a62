import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findQuestionFault, parseAnswer } from '../question.ts'
import { type NumberItem, numberKind } from './number.ts'
import { testKind } from './test/kind-properties.ts'

const item = (fields: Omit<NumberItem, 'kind'> = {}): NumberItem & { id: string; text: string } => ({
  id: 'n',
  text: 'How many?',
  kind: 'number',
  ...fields,
})
const unit = fc.constantFrom('', 'kg', '%', '€', '公里', 'KG', '5', '.5')

testKind(
  'number',
  fc.oneof(
    fc.record({ value: fc.integer(), below: fc.nat(100), above: fc.nat(100), unit }).map(({ value, below, above, unit: shown }) => ({
      item: item({ min: value - below, max: value + above, integer: true, unit: shown }),
      value: String(value),
    })),
    fc
      .record({ whole: fc.integer({ min: -9_999, max: 9_999 }), hundredths: fc.integer({ min: 1, max: 9 }), unit })
      .map(({ whole, hundredths, unit: shown }) => ({ item: item({ unit: shown }), value: `${whole}.0${hundredths}` })),
  ),
)

const cases: [typed: string, item: NumberItem, value: string | null][] = [
  ['5', item(), '5'],
  [' +5.50 ', item(), '5.5'],
  ['007', item(), '7'],
  ['−3', item(), '-3'],
  ['-0', item(), '0'],
  ['１２', item(), '12'],
  ['1,5', item(), '1.5'],
  ['1,500', item(), null],
  ['1e5', item(), null],
  ['five', item(), null],
  ['5kg', item({ unit: 'kg' }), '5'],
  ['5 KG', item({ unit: 'kg' }), '5'],
  ['5 lb', item({ unit: 'kg' }), null],
  ['11', item({ max: 10 }), null],
  ['0', item({ min: 1 }), null],
  ['1.5', item({ integer: true }), null],
  ['2.0', item({ integer: true }), '2'],
]
for (const [typed, asked, value] of cases)
  test(`number: ${JSON.stringify(typed)} is ${value ?? 'refused'} for ${JSON.stringify(asked)}`, () =>
    assert.equal(parseAnswer({ id: 'n', text: '', ...asked }, typed, ''), value))

test('number: says what fits, with an example', () => {
  assert.equal(
    numberKind.hint(item({ min: 1, max: 10, integer: true, unit: 'kg' }), 'en'),
    'Enter a whole number from 1 to 10 (kg), such as 5.',
  )
  assert.equal(numberKind.hint(item({ min: 100 }), 'en'), 'Enter a number of at least 100, such as 100.')
  assert.equal(numberKind.hint(item({ max: 0.5 }), 'zh'), '请输入不大于 0.5 的数字，例如 0。')
  assert.equal(numberKind.check(item({ max: 3 }), '4')?.refused.code, 'bad_answer')
  for (const value of ['', '05', '5.0', '-0', '1e3', 'NaN', '5 ']) assert.ok(numberKind.check(item(), value), value)
})

test('number: both ends of a range fit', () => {
  for (const value of ['1', '10']) assert.equal(numberKind.check(item({ min: 1, max: 10 }), value), null, value)
  for (const value of ['0.99', '10.01']) assert.ok(numberKind.check(item({ min: 1, max: 10 }), value), value)
})

test('number: an answer has at most 40 characters, a unit too', () => {
  assert.equal(numberKind.check(item(), '1'.repeat(40)), null)
  assert.ok(numberKind.check(item(), '1'.repeat(41)))
  assert.equal(findQuestionFault({ text: '', items: [item({ unit: 'x'.repeat(40) })] }), null)
  assert.notEqual(findQuestionFault({ text: '', items: [item({ unit: 'x'.repeat(41) })] }), null)
})

test('number: a range without a number is no question', () => {
  const fault = (fields: Omit<NumberItem, 'kind'>): string | null => findQuestionFault({ text: '', items: [item(fields)] })
  assert.match(fault({ min: 2, max: 1 }) ?? '', /min above its max/)
  assert.match(fault({ min: 1.2, max: 1.8, integer: true }) ?? '', /no whole number/)
  assert.match(fault({ unit: 'a\nb' }) ?? '', /not one short line/)
  assert.equal(fault({ min: 1, max: 1 }), null)
  assert.equal(fault({ min: 0.5, max: 1.5, integer: true }), null, 'one whole number is enough')
  assert.equal(fault({ min: 1.2, max: 1.8 }), null)
})
