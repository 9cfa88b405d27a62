import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnText } from './turn-text.ts'

test('turnText: removes tokens at the end of a line that the server counted', () => {
  assert.equal(turnText('Enjoy it! [[like]]', ['like']), 'Enjoy it!')
  assert.equal(turnText('Bye [[like]] [[request_conversation_end]]', ['like', 'request_conversation_end']), 'Bye')
  assert.equal(turnText('One [[like]]\nTwo', ['like']), 'One\nTwo')
})

test('turnText: leaves other text in double brackets', () => {
  assert.equal(turnText('See [[page]]', []), 'See [[page]]')
  assert.equal(turnText('Write [[like]] to vote', ['like']), 'Write [[like]] to vote')
})
