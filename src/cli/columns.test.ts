import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { columns, fit } from './columns.ts'
import { oneLine, plainText } from './plain-text.ts'
import { WordWrap } from './word-wrap.ts'

test('columns are padded by display width, so Chinese lines up too', () => {
  assert.deepEqual(
    columns(
      [
        ['城市', 'a'],
        ['city', 'b'],
      ],
      80,
    ),
    ['城市  a', 'city  b'],
  )
})

test('the last column is cut to the line, between graphemes', () => {
  assert.deepEqual(columns([['id', 'a family 👨‍👩‍👧 on the road']], 16), ['id  a family 👨‍👩‍👧…'])
})

test('nothing is ever wider than it may be', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      assert.ok(stringWidth(fit(oneLine(text), width)) <= Math.max(width, 1))
    }),
  )
})

test('wrapped words keep every character but the spaces at line ends, however they come in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '书', '城') })),
      fc.integer({ min: 8, max: 30 }),
      (pieces, width) => {
        const wrap = new WordWrap(() => width)
        const out = pieces.map((piece) => wrap.push(piece)).join('') + wrap.flush()
        assert.equal(out.replace(/\s/g, ''), pieces.join('').replace(/\s/g, ''))
        for (const line of out.split('\n')) assert.ok(stringWidth(line) <= width)
        const whole = new WordWrap(() => width)
        assert.equal(whole.push(pieces.join('')) + whole.flush(), out)
      },
    ),
  )
})

test('escape sequences and bidi overrides of others do not reach the terminal', () => {
  assert.equal(plainText('a\u001b[31mred\u0007\u202egnol\u009b2J'), 'a␛[31mred␇gnol2J')
  assert.equal(plainText('one\r\ntwo\ttab\rthree'), 'one\ntwo\ttab\nthree')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(plainText(text), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      assert.ok(plainText(text).isWellFormed())
    }),
  )
})
