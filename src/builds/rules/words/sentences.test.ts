import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened, splitSentences } from './sentences.ts'

test('splitSentences: the sentences together are the text', () => {
  assert.deepEqual(splitSentences('One. Two!  Three'), ['One. ', 'Two!  ', 'Three'])
})

test('splitSentences: a mark inside a word ends no sentence', () => {
  assert.deepEqual(splitSentences('It is hunter2-Blue!9. Keep it.'), ['It is hunter2-Blue!9. ', 'Keep it.'])
  assert.deepEqual(splitSentences('好！再见。'), ['好！', '再见。'])
})

test('shortened: whole sentences as far as they fit', () => {
  assert.equal(shortened('One. Two.', 9), 'One. Two.')
  assert.equal(shortened('One. Two.', 8), 'One.')
  assert.equal(shortened('One. Two.', 4), 'One.')
})

test('shortened: otherwise whole words and an ellipsis, unless that loses half', () => {
  assert.equal(shortened('aaaaaa bbbbbb', 10), 'aaaaaa…')
  assert.equal(shortened('aa bbbbbbbbbbbb', 10), 'aa bbbbbb…')
  assert.equal(shortened('aaaaa bbbbbbbbb', 10), 'aaaaa bbb…', 'half is not more than half')
  assert.equal(shortened('aaaaaaaaaaaaaa', 10), 'aaaaaaaaa…')
  assert.equal(shortened(`${'a'.repeat(8)}😀aaaaa`, 10), 'aaaaaaaa…')
})
