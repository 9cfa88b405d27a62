import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeHtml, markdownToHtml } from './html.ts'
import { readHtml } from './test/read-html.ts'

const html = (markdown: string, left = 100): string => markdownToHtml(markdown, { left })

test('what people and models write', () => {
  const cases: [markdown: string, html: string][] = [
    ['**bold** and *slanted* and _so_ and ~~gone~~', '<b>bold</b> and <i>slanted</i> and <i>so</i> and <s>gone</s>'],
    ['**bold *and* slanted**', '<b>bold <i>and</i> slanted</b>'],
    ['`a < b` and ``x ` y``', '<code>a &lt; b</code> and <code>x ` y</code>'],
    ['[name](https://example.org/?a=1&b=2)', '<a href="https://example.org/?a=1&amp;b=2">name</a>'],
    ['# Heading\ntext', '<b>Heading</b>\ntext'],
    ['- one\n  * two', '• one\n  • two'],
    ['> said\n> so\nnot', '<blockquote>said\nso</blockquote>\nnot'],
    ['```ts\nif (a < b) {}\n```\nafter', '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>\nafter'],
    ['snake_case_name 2 * 3 * 4 **', 'snake_case_name 2 * 3 * 4 **'],
    ['[bad](javascript:alert(1)) <script>&amp;', '[bad](javascript:alert(1)) &lt;script&gt;&amp;amp;'],
    ['\\*not slanted\\*', '*not slanted*'],
    ['```\nnever closed', '```\nnever closed'],
  ]
  for (const [markdown, expected] of cases) assert.equal(html(markdown), expected)
})

test('formatting beyond what the platform takes stays as it was written', () => {
  assert.equal(html('**a** **b** **c**', 2), '<b>a</b> <b>b</b> **c**')
})

const pieces = fc.constantFrom(
  '**',
  '*',
  '_',
  '__',
  '~~',
  '`',
  '```\n',
  '\n```\n',
  '[',
  '](',
  'https://e.org/"x',
  ')',
  '<',
  '>',
  '&',
  '&lt;',
  '"',
  '\n',
  '> ',
  '# ',
  '- ',
  ' ',
  'a',
  'ß',
  '你',
  '😀',
  '\\',
  '</b>',
  '<b>',
)

test('no content can break the markup, and what is seen is never longer than what was written', () => {
  const contents = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(contents, fc.integer({ min: 0, max: 5 }), (markdown, left) => {
      const { text, entities } = readHtml(html(markdown, left))
      assert.ok(text.length <= markdown.length)
      assert.ok(entities <= left)
    }),
    { numRuns: 5_000 },
  )
})

test('escaped text is read back to the letter', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(readHtml(escapeHtml(text)).text, text)))
})
