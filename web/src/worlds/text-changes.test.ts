import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textChanges } from './text-changes.ts'

test('textChanges: names lines that went and lines that came', () => {
  assert.deepEqual(textChanges('Be kind.\nTen turns.', 'Be kind.\nFive turns.'), [
    { text: 'Ten turns.', change: 'removed' },
    { text: 'Be kind.', change: 'same' },
    { text: 'Five turns.', change: 'added' },
  ])
  assert.deepEqual(textChanges('Same', 'Same'), [{ text: 'Same', change: 'same' }])
})
