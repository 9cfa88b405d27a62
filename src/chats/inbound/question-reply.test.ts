import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkAnswers, type Question } from '../../dialogs/rules/question.ts'
import { readReply } from './question-reply.ts'

const size = {
  id: 'size',
  text: 'Which size?',
  kind: 'choice' as const,
  options: [
    { value: 's', label: 'Small' },
    { value: 'l', label: 'Large one' },
  ],
}
const name = { id: 'name', text: 'Which name?', kind: 'text' as const }
const one = (item: Question['items'][number]): Question => ({ text: '', items: [item] })
const both: Question = { text: 'Two things', items: [size, name] }

const cases: [said: string, question: Question, answers: object | null][] = [
  ['Teapot', one(name), { name: 'Teapot' }],
  ['  Teapot\n', one(name), { name: 'Teapot' }],
  ['   ', one(name), null],
  ['large ONE', one(size), { size: 'l' }],
  ['l', one(size), { size: 'l' }],
  ['medium', one(size), null],
  ['1: Small\n2: Teapot', both, { size: 's', name: 'Teapot' }],
  ['2. Teapot\n1) small', both, { size: 's', name: 'Teapot' }],
  ['size: Small\nname: A: B', both, { size: 's', name: 'A: B' }],
  ['1：Small\n2：茶壶', both, { size: 's', name: '茶壶' }],
  ['Small\nTeapot', both, { size: 's', name: 'Teapot' }],
  ['Small', both, null],
  ['1: Small', both, null],
  ['1: huge\n2: Teapot', both, null],
]

for (const [said, question, answers] of cases)
  test(`${JSON.stringify(said)} as an answer to ${question.items.length === 1 ? question.items[0]?.text : 'a set'}`, () => {
    assert.deepEqual(readReply(question, said, '2026-11-17'), answers)
  })

test('whatever is read as an answer is one', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(one(name), one(size), both), (said, question) => {
      const answers = readReply(question, said, '2026-11-17')
      if (answers) assert.ok('answers' in checkAnswers(question, answers))
    }),
  )
})
