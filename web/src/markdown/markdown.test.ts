import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { decodeEntities } from './entities.ts'
import { toBlocks, Markdown } from './markdown.ts'
import { safeLink } from './safe-link.ts'

const words = {
  code: 'Code',
  table: 'Table',
  copyCode: 'Copy',
  copied: 'Copied',
  showAll: (lines: number) => `Show all ${lines} lines`,
  showLess: 'Show less',
}
const html = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text, words }))

const tags = new Set(
  'p h3 h4 h5 h6 blockquote ol ul li div span button pre code table thead tbody tr th td hr strong em del br a'.split(' '),
)
const attributes = new Set('dir start class role tabindex aria-label aria-expanded type scope href target rel'.split(' '))

/** Reads what React wrote: every tag and attribute must be one of ours, and every link one a person may follow. */
function assertInert(text: string): void {
  const out = html(text)
  for (const [, close, tag, rest] of out.matchAll(/<(\/?)([^\s>/]+)((?:"[^"]*"|[^>"])*)>/g)) {
    assert.ok(tags.has(tag ?? ''), `tag <${close}${tag}> from ${JSON.stringify(text)}`)
    for (const [, name, value] of (rest ?? '').matchAll(/([^\s="/]+)(?:="([^"]*)")?/g)) {
      assert.ok(attributes.has(name ?? ''), `attribute ${name} from ${JSON.stringify(text)}`)
      if (name === 'href') assert.match(value ?? '', /^(https?:|mailto:)/)
    }
  }
}

describe('what markdown becomes', () => {
  test('paragraphs take their direction from their words, code is always left to right', () => {
    assert.equal(html('سلام *hi*'), '<p dir="auto">سلام <em>hi</em></p>')
    assert.match(html('`a`'), /<code dir="ltr">a<\/code>/)
  })
  test('raw HTML is shown as the text it is', () => {
    assert.match(html('<script>alert(1)</script>'), /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    assert.match(html('a <img src=x onerror=alert(1)> b'), /&lt;img src=x onerror=alert\(1\)&gt;/)
  })
  test('only addresses a person may follow become links', () => {
    assert.match(html('[a](https://example.org/x)'), /<a href="https:\/\/example.org\/x" target="_blank" rel="noopener noreferrer">a<\/a>/)
    for (const bad of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '/v1/dialogs',
      '//evil.example',
      'java\tscript:alert(1)',
    ]) {
      assert.doesNotMatch(html(`[a](<${bad}>)`), /<a /, bad)
    }
  })
  test('pictures are links until they are opened', () => {
    assert.match(html('![cat](https://example.org/cat.png)'), /<a href="https:\/\/example.org\/cat.png"[^>]*>cat<\/a>/)
    assert.doesNotMatch(html('![cat](https://example.org/cat.png)'), /<img/)
  })
  test('code and tables can be reached by keyboard and have a name', () => {
    assert.match(
      html('```ts\nlet a = 1\n```'),
      /<pre dir="ltr" role="region" tabindex="0" aria-label="Code: ts"><code><span class="md-word">let<\/span> a = <span class="md-number">1<\/span><\/code><\/pre>/,
    )
    assert.match(
      html('| a | b |\n|---|--:|\n| 1 | 2 |'),
      /<div class="md-table" role="region" tabindex="0" aria-label="Table">.*<td dir="auto" class="md-right">2<\/td>/,
    )
  })
  test('a block of more than 40 lines is folded and says how long it is', () => {
    const long = Array.from({ length: 41 }, (_, index) => `line ${index + 1}`)
    assert.match(html(`\`\`\`\n${long.join('\n')}\n\`\`\``), /line 40<\/code>.*Show all 41 lines/)
    assert.match(html(`\`\`\`\n${long.slice(1).join('\n')}\n\`\`\``), /line 41<\/code>/)
  })
  test('character references are read', () => {
    assert.equal(decodeEntities('a &amp;&lt;b&gt; &#39;x&#x27; &nope; &#xD800;'), "a &<b> 'x' &nope; &#xD800;")
    assert.equal(html('&lt;b&gt; & c'), '<p dir="auto">&lt;b&gt; &amp; c</p>')
  })
})

describe('hostile text', () => {
  test('nesting without end is drawn as text', () => {
    for (const hostile of [
      '>'.repeat(5_000),
      '- '.repeat(5_000),
      '['.repeat(10_000),
      '*'.repeat(10_000),
      '('.repeat(5_000),
      '`'.repeat(9_999),
      '![a]('.repeat(3_000),
      'a|'.repeat(5_000),
      '<'.repeat(10_000),
      '_a'.repeat(5_000),
    ])
      assertInert(hostile)
  })
  test('quotes that lose a level with each line are drawn as far as they can be lexed in a short time', () => {
    const mails = (levels: number): string =>
      Array.from({ length: levels }, (_, line) => `${'>'.repeat(levels - line)} line ${line}`).join('\n')
    assert.equal(html(mails(8)).split('<blockquote').length, 9)
    assert.deepEqual(
      toBlocks(mails(16)).map(({ type, raw }) => [type, raw]),
      [['html', mails(16)]],
    )
  })

  test('a heading is found by the line under it, in a list as well', () => {
    assert.equal(html('a\nb\n---\nc'), '<h4 dir="auto">a<br/>b</h4><p dir="auto">c</p>')
    const long = `${'word '.repeat(200)}\n---\nc`
    assert.match(html(long), /^<p dir="auto">word .*<hr\/>/s)
    assert.match(html('- a\n  ---\n  b'), /^<ul><li dir="auto"><h4 dir="auto">a<\/h4>b/)
  })

  test('whatever is written, nothing but our own tags and harmless links comes out', () => {
    const piece = fc.constantFrom(
      '<script>',
      '</script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:alert(1)">',
      '<svg/onload=alert(1)>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<style>',
      '&lt;',
      '&#0;',
      '&#x6A;avascript:',
      'javascript:',
      'data:text/html,',
      'https://',
      'http://a',
      '](',
      '[',
      '![',
      ')',
      '<',
      '>',
      '"',
      "'",
      '`',
      '```',
      '~~~',
      '*',
      '**',
      '_',
      '~~',
      '|',
      '|-|',
      '\n',
      '\n\n',
      '    ',
      '- ',
      '1. ',
      '> ',
      '# ',
      '- [x] ',
      '\\',
      '\0',
      '\u202e',
      '\u2066',
      '\ud800',
      '中文',
      'سلام',
      '[a]: javascript:b',
      'www.a.b',
      'a@b.c',
      '\t',
      '%0ajavascript:',
    )
    const text = fc
      .array(fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: fc.string({ maxLength: 8 }) }), { maxLength: 40 })
      .map((pieces) => pieces.join(''))
    fc.assert(fc.property(text, assertInert), { numRuns: 400 })
  })
  test('an address is followed only by scheme', () => {
    fc.assert(
      fc.property(fc.string(), (href) => {
        const link = safeLink(href)
        assert.ok(link === null || /^(https?:|mailto:)/.test(link))
      }),
    )
  })
})
