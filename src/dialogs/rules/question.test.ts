import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answers,
  checkAnswers,
  describeAnswers,
  explainAnswer,
  findQuestionFault,
  isTypedAnswer,
  listOptions,
  parseAnswer,
  type Question,
  type QuestionItem,
  questionLimits,
} from './question.ts'

const size = {
  id: 'size',
  text: 'Size?',
  kind: 'choice',
  options: [
    { value: 's', label: 'Small' },
    { value: 'l', label: 'Large' },
  ],
} satisfies QuestionItem
const name: QuestionItem = { id: 'name', text: 'Name?', kind: 'text' }
const ask = (...items: QuestionItem[]): Question => ({ text: 'Please answer.', items })

test('describeAnswers: one item gives the label alone, several items name each', () => {
  assert.equal(describeAnswers(ask(size), { size: 's' }), 'Small')
  assert.equal(describeAnswers(ask(size, name), { size: 'l', name: 'Nori' }), 'Size?: Large\nName?: Nori')
  assert.equal(describeAnswers(ask({ ...size, text: '' }, name), { size: 'l', name: 'Nori' }), 'size: Large\nName?: Nori')
  assert.equal(describeAnswers(ask(name), {}), '')
})

test('checkAnswers: each item needs its own answer and nothing else is accepted', () => {
  const code = (answers: Answers): string => {
    const checked = checkAnswers(ask(size, name), answers)
    return 'refused' in checked ? checked.refused.code : 'accepted'
  }
  assert.equal(code({ size: 's', name: 'Nori' }), 'accepted')
  assert.equal(code({ size: 's' }), 'answer_missing')
  assert.equal(code({ size: 's', name: ' ' }), 'answer_missing')
  assert.equal(code({ size: 'm', name: 'Nori' }), 'not_a_choice')
  assert.equal(code({ size: 's', name: 'Nori', more: 'x' }), 'answer_unknown')
})

test('findQuestionFault: number of items, ids and texts have exact limits', () => {
  const items = (count: number): QuestionItem[] => Array.from({ length: count }, (_, index) => ({ ...name, id: `n${index}` }))
  assert.equal(findQuestionFault(ask(...items(questionLimits.items))), null)
  assert.equal(findQuestionFault(ask(...items(questionLimits.items + 1))), `it has ${questionLimits.items + 1} parts`)
  assert.equal(findQuestionFault(ask()), 'it has 0 parts')
  assert.equal(findQuestionFault(ask(name, name)), 'two parts have the same id')
  const text = 'x'.repeat(questionLimits.text)
  assert.equal(findQuestionFault({ text, items: [name] }), null)
  assert.equal(findQuestionFault({ text: `${text}x`, items: [name] }), 'its text is too long')
  assert.equal(findQuestionFault(ask({ ...name, text })), null)
  assert.equal(findQuestionFault(ask({ ...name, text: `${text}x` })), 'the text of "name" is too long')
  const id = 'x'.repeat(questionLimits.value)
  assert.equal(findQuestionFault(ask({ ...name, id })), null)
  assert.equal(findQuestionFault(ask({ ...name, id: `${id}x` })), 'a part has no usable id')
  assert.equal(findQuestionFault(ask({ ...name, id: '' })), 'a part has no usable id')
})

test('findQuestionFault: an item may leave its text to the question, but one of them needs a text', () => {
  assert.equal(findQuestionFault(ask({ ...name, text: ' ' })), null)
  assert.equal(findQuestionFault({ text: ' ', items: [name] }), null)
  assert.equal(findQuestionFault({ text: ' ', items: [{ ...name, text: ' ' }] }), 'a part has no text')
})

test('findQuestionFault: every item is checked', () => {
  assert.match(findQuestionFault(ask(name, { id: 'none', text: 'None?', kind: 'choice', options: [] })) ?? '', /./)
  assert.equal(findQuestionFault(ask(name, size)), null)
})

test('isTypedAnswer: text, numbers and dates are typed, options are not', () => {
  const { options } = size
  const items: QuestionItem[] = [
    { id: 'a', text: '', kind: 'number' },
    { id: 'a', text: '', kind: 'date' },
    { id: 'a', text: '', kind: 'choices', options },
  ]
  assert.deepEqual(items.map(isTypedAnswer), [true, true, false])
})

test('parseAnswer: a text of exactly the limit is read, a longer or empty one is not', () => {
  const longest = 'x'.repeat(questionLimits.answer)
  assert.equal(parseAnswer(name, longest, ''), longest)
  assert.equal(parseAnswer(name, `${longest}x`, ''), null)
  assert.equal(parseAnswer(name, ' \n', ''), null)
})

test('explainAnswer: only a value that can be sent has no explanation', () => {
  assert.equal(explainAnswer(size, 's', 'en'), null)
  assert.notEqual(explainAnswer(size, 'm', 'en'), null)
  assert.notEqual(explainAnswer(name, ' ', 'en'), null)
})

test('listOptions and isTypedAnswer: a choice has options, a text has an author', () => {
  assert.deepEqual(
    listOptions(size).map(({ value }) => value),
    ['s', 'l'],
  )
  assert.deepEqual([listOptions(name), listOptions(undefined)], [[], []])
  assert.deepEqual([isTypedAnswer(size), isTypedAnswer(name)], [false, true])
})
