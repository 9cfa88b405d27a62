import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWorldTokenName, readTokens, textForPeople, type WorldToken } from './conversation-tokens.ts'

const star: WorldToken = { name: 'star', meaning: 'a good find', isCounted: true }

const accepted: [text: string, tokens: string[]][] = [
  ['That was great. [[like]]', ['like']],
  ['[[like]]', ['like']],
  ['Hm.\n[[dislike]]\n', ['dislike']],
  ['Bye [[like]] [[request_conversation_end]]', ['like', 'request_conversation_end']],
  ['Bye [[like]][[request_conversation_end]]  ', ['like', 'request_conversation_end']],
  ['First [[like]]\nsecond line', ['like']],
  ['Found it [[star]]', ['star']],
  ['```\ncode\n```\nNice [[like]]', ['like']],
  ['很好 [[like]]', ['like']],
]

const rejected = [
  'Shall I write [[like]]?',
  'The token [[like]] means approval.',
  '`[[like]]`',
  '```\n[[like]]\n```',
  '~~~\nBye [[request_conversation_end]]\n~~~',
  '````\n```\n[[like]]\n```\n````',
  'unclosed\n```\n[[like]]',
  '[[unknown]]',
  '[like]',
  '[[Like]]',
  '[[like]',
  '[[ like ]]',
  '[[like]] and more',
  'x [[like]] `code`',
]

test('readTokens: counts known tokens that end a line outside code', () => {
  for (const [text, tokens] of accepted) assert.deepEqual(readTokens(text, [star]), tokens, text)
})

test('readTokens: ignores tokens in code, inside sentences and of other names', () => {
  for (const text of rejected) assert.deepEqual(readTokens(text, [star]), [], text)
})

test('textForPeople: shows marks in place of tokens and keeps everything else', () => {
  assert.deepEqual(textForPeople('Great. [[like]]'), { text: 'Great.', marks: ['like'] })
  assert.deepEqual(textForPeople('[[like]]'), { text: '', marks: ['like'] })
  assert.deepEqual(textForPeople('See `[[like]]` and [[other]]'), { text: 'See `[[like]]` and [[other]]', marks: [] })
  assert.deepEqual(textForPeople('a\n```\n[[like]]\n```\nb [[star]]', [star]), { text: 'a\n```\n[[like]]\n```\nb', marks: ['star'] })
})

test('isWorldTokenName: accepts short names that are not ours', () => {
  assert.deepEqual(['star', 'a1_b', 'like', 'Star', '1a', '', 'a'.repeat(31), 'request_conversation_end', 'a-b'].map(isWorldTokenName), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})
