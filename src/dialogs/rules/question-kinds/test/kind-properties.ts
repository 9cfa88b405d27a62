import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkAnswers, describeAnswer, explainAnswer, findQuestionFault, parseAnswer, type QuestionItem } from '../../question.ts'
import { findKind } from '../registry.ts'

const today = '2026-11-17'
const languages = ['en', 'zh'] as const
const ask = (item: QuestionItem) => ({ text: 'Please answer.', items: [item] })

/** The laws every kind of question follows. `answered` makes well-formed items with an answer in the stored form. */
export function testKind(name: QuestionItem['kind'], answered: fc.Arbitrary<{ item: QuestionItem; value: string }>): void {
  test(`${name}: accepts its own answers and explains none of them`, () => {
    fc.assert(
      fc.property(answered, fc.constantFrom(...languages), ({ item, value }, language) => {
        assert.equal(item.kind, name)
        assert.equal(findQuestionFault(ask(item)), null)
        assert.deepEqual(checkAnswers(ask(item), { [item.id]: value }), { answers: { [item.id]: value } })
        assert.equal(explainAnswer(item, value, language), null)
      }),
    )
  })

  test(`${name}: parse reads back the description of an answer`, () => {
    fc.assert(
      fc.property(answered, fc.constantFrom(...languages), ({ item, value }, language) => {
        assert.equal(parseAnswer(item, describeAnswer(item, value, language), today), value)
      }),
    )
  })

  test(`${name}: check, parse and explain accept any text`, () => {
    fc.assert(
      fc.property(answered, fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...languages), ({ item }, text, language) => {
        const parsed = parseAnswer(item, text, today)
        if (parsed !== null) assert.ok('answers' in checkAnswers(ask(item), { [item.id]: parsed }))
        const fits = 'answers' in checkAnswers(ask(item), { [item.id]: text })
        const why = explainAnswer(item, text, language)
        assert.equal(why === null, fits)
        if (why !== null) assert.ok(why.length > 1 && why.length < 5_000)
        describeAnswer(item, text, language)
      }),
    )
  })

  test(`${name}: a refusal shows the first 100 characters of the answer`, () => {
    const wrong = `?${'x'.repeat(300)}`
    fc.assert(
      fc.property(answered, ({ item }) => {
        const checked = checkAnswers(ask(item), { [item.id]: wrong })
        if ('refused' in checked) assert.equal(checked.refused.details['value'], wrong.slice(0, 100))
      }),
    )
  })

  test(`${name}: has a sample that parses, and a hint in both languages or in none`, () => {
    fc.assert(
      fc.property(answered, ({ item }) => {
        const kind = findKind(item)
        if (kind.sample(item) !== '') assert.notEqual(parseAnswer(item, kind.sample(item), today), null)
        assert.equal(kind.hint(item, 'en') === '', kind.hint(item, 'zh') === '')
      }),
    )
  })

  test(`${name}: parse takes linear time`, () => {
    const [first] = fc.sample(answered, 1)
    assert.ok(first)
    for (const unit of ['1', '1,', ' ', '-', '1.', 'a, ', '月', '\n', '1\n', '٣'])
      // 16 times the text: linear is 16, quadratic 256.
      assert.ok(measureTime(first.item, unit, 64_000) < Math.max(40, 64 * measureTime(first.item, unit, 4_000)), JSON.stringify(unit))
  })
}

/** Directly, since `parseAnswer` refuses texts of this length. CPU time in ms, the best of three. */
function measureTime(item: QuestionItem, unit: string, chars: number): number {
  const text = unit.repeat(Math.ceil(chars / unit.length))
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage().user
    findKind(item).parse(item, text, today)
    return (process.cpuUsage().user - start) / 1_000
  })
  return Math.min(...times)
}
