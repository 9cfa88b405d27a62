import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withVisibleCharacters } from '../../authority/visible-text.ts'
import { telegramCapabilities } from '../channels/telegram/capabilities.ts'
import { markdownToHtml } from '../channels/telegram/html.ts'
import { escapeMarkdown, fenced, oneLine, getPieceChars, shownName, shownPieces } from './shown-pieces.ts'

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '```', '\t', '汉', '😀', '\u202E', '\\', '*'), maxLength: 200 })

test('shownPieces: together they are the text, each fits, and no character is parted', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (given, pieceChars) => {
      const pieces = shownPieces(given, pieceChars)
      const joined = pieces.map(({ text: piece, isSameLine }, index) => `${index === 0 || isSameLine ? '' : '\n'}${piece}`).join('')
      assert.equal(joined, withVisibleCharacters(given))
      for (const { text: piece } of pieces) {
        assert.ok(piece.length <= pieceChars)
        assert.ok(piece.isWellFormed())
      }
    }),
  )
})

const toShown = (html: string): string =>
  html
    .replace(/^<pre>/, '')
    .replace(/<\/pre>$/, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('fenced: Telegram shows every character of the text, whatever it holds', () => {
  fc.assert(
    fc.property(text, (given) => {
      const html = markdownToHtml(fenced(given), { left: 100 })
      assert.match(html, /^<pre>/)
      assert.equal(toShown(html), given)
    }),
  )
})

test('escapeMarkdown: nothing in it is formatting, and all of it is shown', () => {
  fc.assert(
    fc.property(text, (given) => {
      const line = oneLine(given)
      const html = markdownToHtml(`Reason: ${escapeMarkdown(line)}`, { left: 100 })
      assert.equal(toShown(html), `Reason: ${line}`)
    }),
  )
})

test('shownName: a name is one line without signs that could end it', () => {
  assert.equal(shownName('mia (owner, Page). [Reason](http://x)\n*fine*'), 'mia owner, Page . Reason http://x ⟨U+000A⟩ fine')
  assert.equal(shownName('a'.repeat(100)).length, 60)
})

test('getPieceChars: leaves room for the title on Telegram, and shows nothing on a channel of very short messages', () => {
  assert.equal(getPieceChars(telegramCapabilities), 3_300)
  const { presentation } = telegramCapabilities
  const short = { ...telegramCapabilities, presentation: { ...presentation, limits: { text: { maxLength: 160 } } } }
  assert.equal(getPieceChars(short), 60)
})
