import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type TextEncoding, textEncodings } from '../message/channel-capabilities.ts'
import { getBoundary, cutLabel, measure } from './measure.ts'
import { splitOnce } from './split-text.ts'

function splitAll(text: string, limit: number, encoding: TextEncoding = 'utf16-units'): string[] {
  const pieces: string[] = []
  let rest = text
  while (measure(rest, encoding) > limit) {
    const [head, tail] = splitOnce(rest, limit, encoding)
    pieces.push(head)
    rest = tail
    assert.ok(pieces.length <= text.length + 1, 'it comes to an end')
  }
  return [...pieces, rest]
}

test('between paragraphs, then lines, then sentences, then words, then characters', () => {
  assert.deepEqual(splitAll('one two.\n\nthree four\nfive', 20), ['one two.', 'three four\nfive'])
  assert.deepEqual(splitAll('one two three\nfour five six', 20), ['one two three', 'four five six'])
  assert.deepEqual(splitAll('One two. Three four five.', 20), ['One two.', 'Three four five.'])
  assert.deepEqual(splitAll('一二三四五。六七八九十。', 10), ['一二三四五。', '六七八九十。'])
  assert.deepEqual(splitAll('one two three four', 10), ['one two', 'three four'])
  assert.deepEqual(splitAll('abcdefghij', 4), ['abcd', 'efgh', 'ij'])
})

test('a break at the very start is not taken when a later one of a lower kind exists', () => {
  assert.deepEqual(splitAll(`a\n\n${'word '.repeat(9)}end`, 40)[0], `a\n\n${'word '.repeat(7)}`.trimEnd())
})

test('exactly as long as allowed is left alone, one more is parted', () => {
  for (const encoding of textEncodings) {
    assert.equal(splitAll('é'.repeat(10), measure('é'.repeat(10), encoding), encoding).length, 1)
    assert.equal(splitAll('é'.repeat(11), measure('é'.repeat(10), encoding), encoding).length, 2)
  }
})

test('code goes on in the next message in a fence of its own', () => {
  const code = ['```ts', 'const a = 1', 'const b = 2', 'const c = 3', '```', 'after'].join('\n')
  assert.deepEqual(splitAll(code, 36), ['```ts\nconst a = 1\nconst b = 2\n```', '```ts\nconst c = 3\n```\nafter'])
  // The fence closes where the cut falls: nothing empty is opened again.
  assert.deepEqual(splitAll('```\naaaa\nbbbb\n```\nafter words', 19), ['```\naaaa\nbbbb\n```', 'after words'])
  // A fence that would hold nothing is not opened before the cut.
  assert.deepEqual(splitAll('some words here\n```ts\nlong line of code\n```', 30)[0], 'some words here')
})

test('a family, a flag and an accent stay whole', () => {
  const family = '👨‍👩‍👧‍👦'
  assert.deepEqual(splitAll(family.repeat(3), 2 * family.length + 3), [family.repeat(2), family])
  assert.deepEqual(splitAll('🇩🇪🇫🇷🇮🇹', 6), ['🇩🇪', '🇫🇷', '🇮🇹'])
  assert.deepEqual(splitAll('e\u0301'.repeat(3), 3), ['e\u0301', 'e\u0301', 'e\u0301'])
  assert.equal(cutLabel(`ab${family}cd`, 8, 'utf16-units'), 'ab…')
  assert.equal(cutLabel('abcdef', 6, 'characters'), 'abcdef')
  assert.equal(cutLabel('abcdefg', 6, 'characters'), 'abcde…')
})

test('a character that is larger than the limit is parted between code points, and work goes on', () => {
  const zalgo = `a${'\u0301'.repeat(30)}`
  assert.equal(splitAll(zalgo, 10).join(''), zalgo)
  assert.equal(splitAll('😀😀', 1, 'utf8-bytes').join(''), '😀😀')
})

const words = fc.constantFrom(
  'a',
  'word',
  ' ',
  ' ',
  '\n',
  '\n\n',
  '. ',
  '。',
  '```',
  '```ŧ\n',
  '\n```\n',
  '~~~\n',
  '👨‍👩‍👧',
  '🇩🇪',
  'שלום',
  '你好',
  'e\u0301',
  '\u202b',
  '    x',
  '`',
)

test('any text: every piece fits, nothing but breaks and fences changes, no grapheme is parted', () => {
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 120 }),
      fc.integer({ min: 24, max: 80 }),
      fc.constantFrom(...textEncodings),
      (parts, limit, encoding) => {
        // A language behind a fence is said again where the fence goes on, so only a made-up one stands there.
        const text = parts.join('').replaceAll(/(`{3,}|~{3,})ŧ?[ \t]*(?=[^\s`~ŧ])/g, '$1\n')
        const pieces = splitAll(text, limit, encoding)
        for (const piece of pieces)
          assert.ok(measure(piece, encoding) <= limit, `${measure(piece, encoding)} > ${limit}: ${JSON.stringify(piece)}`)
        const bare = (some: string): string => some.replaceAll(/[\s`~ŧ]/g, '')
        assert.equal(pieces.map(bare).join(''), bare(text))
        const graphemes = new Set(splitGraphemes(text))
        for (const piece of pieces)
          for (const one of splitGraphemes(piece)) assert.ok(graphemes.has(one) || /^[`~\nŧ]$/.test(one), JSON.stringify(one))
      },
    ),
    { numRuns: 2_000 },
  )
})

function splitGraphemes(text: string): string[] {
  const isBoundary = getBoundary(text)
  const starts = Array.from({ length: text.length }, (_, at) => at).filter((at) => isBoundary(at))
  return starts.map((from, index) => text.slice(from, starts[index + 1] ?? text.length))
}
