import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinLines } from './join-lines.ts'

test('joinLines: gives the same text as replacing \\s*\\n\\s* by a space', () => {
  const piece = fc.constantFrom(' ', '\n', '\r', '\t', '\u00a0', '\u2028', '\ufeff', 'a', '界', '\ud83d\ude00')
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 60 }), (text) => assert.equal(joinLines(text), text.replace(/\s*\n\s*/g, ' '))),
    { numRuns: 2_000 },
  )
})
