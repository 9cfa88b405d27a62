import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainPreview } from './plain-preview.ts'

test('a preview reads like a sentence', () => {
  assert.equal(
    plainPreview('## Your list: cities\n\nYou wanted to **learn**, at *one book a month*.'),
    'Your list: cities You wanted to learn, at one book a month.',
  )
  assert.equal(plainPreview('- [x](https://example.org) and `code`'), 'x and code')
})

test('what only looks like a mark stays', () => {
  assert.equal(plainPreview('snake_case is 3 * 4'), 'snake_case is 3 * 4')
})
