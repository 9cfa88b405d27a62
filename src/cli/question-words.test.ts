import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pc from 'picocolors'
import type { Question } from '../dialogs/rules/question.ts'
import { answerCommand, questionLines } from './question-words.ts'
import { terminalWords } from '../words/index.ts'

const plain = pc.createColors(false)
const choice: Question = {
  text: 'Which one?',
  items: [
    {
      id: 'size',
      text: 'Size',
      kind: 'choice',
      options: [
        { value: 'low', label: 'Low', hint: 'up to $10' },
        { value: 'very high', label: 'High' },
      ],
    },
  ],
}
const words: Question = { text: 'What is its name?', items: [{ id: 'name', text: 'What is its name?', kind: 'text' }] }
const set: Question = { text: 'Two details.', items: [...choice.items, { id: 'a topic', text: 'Topic', kind: 'text' }] }

describe('the command that answers exactly this question', () => {
  test('a choice names its values, quoted where a shell needs it', () =>
    assert.equal(answerCommand('q_1', choice), "parley answer q_1 --choice 'low|very high'"))
  test('words', () => assert.equal(answerCommand('q_1', words), "parley answer q_1 --text '…'"))
  test('a set names every part', () =>
    assert.equal(answerCommand('q_1', set), "parley answer q_1 --set size='low|very high' --set 'a topic'='…'"))
})

test('a question as text has its choices and their values', () => {
  assert.deepEqual(questionLines({ agent: 'ada', ask: set }, terminalWords['en'], plain), [
    '? ada asks you: Two details.',
    '  Size  (size)',
    '    • Low [low] – up to $10',
    '    • High [very high]',
    '  Topic  (a topic)',
  ])
})

test('a plain question is not said twice, and speaks Chinese', () => {
  assert.deepEqual(questionLines({ agent: 'ada', ask: words }, terminalWords['zh'], plain), ['? ada 问您：What is its name?'])
})
