import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findQuestionFault, parseAnswer } from '../question.ts'
import { type DateItem, dateKind } from './date.ts'
import { testKind } from './test/kind-properties.ts'

const item = (fields: Omit<DateItem, 'kind'> = {}): DateItem & { id: string; text: string } => ({
  id: 'd',
  text: 'When?',
  kind: 'date',
  ...fields,
})
const day = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

testKind(
  'date',
  fc.oneof(
    day.map((value) => ({ item: item(), value })),
    fc.tuple(day, day, day).map((three) => {
      const [min = '', value = '', max = ''] = three.toSorted()
      return { item: item({ min, max }), value }
    }),
  ),
)

const cases: [typed: string, value: string | null][] = [
  ['2026-12-24', '2026-12-24'],
  [' 2026/1/2 ', '2026-01-02'],
  ['24.12.2026', '2026-12-24'],
  ['3. 4. 2026', '2026-04-03'],
  ['2026年1月2日', '2026-01-02'],
  ['24 December 2026', '2026-12-24'],
  ['Dec 24, 2026', '2026-12-24'],
  ['today', '2026-12-31'],
  ['Tomorrow', '2027-01-01'],
  ['明天', '2027-01-01'],
  ['后天', '2027-01-02'],
  ['昨天', '2026-12-30'],
  ['03/04/2026', null],
  ['24-12-2026', null],
  ['24.12.26', null],
  ['2026-02-30', null],
  ['2025-02-29', null],
  ['2024-02-29', '2024-02-29'],
  ['next friday', null],
  ['constructor', null],
  ['', null],
]
for (const [typed, value] of cases)
  test(`date: ${JSON.stringify(typed)} is ${value ?? 'refused'}`, () => assert.equal(parseAnswer(item(), typed, '2026-12-31'), value))

test('date: bounds count, and the text says what fits', () => {
  const december = item({ min: '2026-12-01', max: '2026-12-31' })
  assert.equal(parseAnswer(december, '2026-12-01', ''), '2026-12-01')
  assert.equal(parseAnswer(december, '2026-12-31', ''), '2026-12-31')
  assert.equal(parseAnswer(december, '2027-01-01', ''), null)
  assert.equal(dateKind.check(december, '2026-11-30')?.refused.code, 'bad_answer')
  assert.equal(dateKind.hint(december, 'en'), 'Enter a date from 2026-12-01 to 2026-12-31, such as 2026-12-01.')
  assert.equal(dateKind.hint(item(), 'zh'), '请输入日期，例如 2026-12-24。')
  assert.equal(dateKind.describe(december, '2026-12-05', 'zh'), '2026年12月5日')
})

test('date: bounds that are no dates are no question', () => {
  const fault = (fields: Omit<DateItem, 'kind'>): string | null => findQuestionFault({ text: '', items: [item(fields)] })
  assert.match(fault({ min: 'soon' }) ?? '', /not a date/)
  assert.match(fault({ min: '2026-02-30' }) ?? '', /not a date/)
  assert.match(fault({ min: '2026-02-02', max: '2026-02-01' }) ?? '', /min after its max/)
  assert.equal(fault({ min: '2026-02-01', max: '2026-02-01' }), null)
})
