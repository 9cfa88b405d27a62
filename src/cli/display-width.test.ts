import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { displayWidth } from './display-width.ts'

test('displayWidth: every character that it measures itself is as wide as string-width says', () => {
  const differences: string[] = []
  // Beyond U+27FF it asks string-width for each.
  for (let code = 0; code < 0x2800; code += 1) {
    const text = String.fromCharCode(code)
    if (displayWidth(text) !== stringWidth(text)) differences.push(code.toString(16))
  }
  assert.deepEqual(differences, [])
})

test('displayWidth: texts are as wide as string-width says', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    'e\u0301',
    '…',
    '│',
    '✓',
    '✓\ufe0f',
    '↑',
    '↑\ufe0f',
    '1\u20e3',
    '●',
    '你',
    '😀',
    '👩‍👩‍👧',
    '\u001b[31m',
    '\u00ad',
    '\t',
    '\n',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => assert.equal(displayWidth(pieces.join('')), stringWidth(pieces.join('')))),
    {
      numRuns: 1_000,
    },
  )
})
