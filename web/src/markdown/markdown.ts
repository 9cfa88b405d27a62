import type { MarkedToken, Token } from 'marked'
import { createElement as h, Fragment, memo, type ReactNode } from 'react'
import { CodeBlock, type CodeWords } from './code-block.ts'
import { decodeEntities } from './entities.ts'
import { deepest, lexed } from './lexed.ts'
import { safeLink } from './safe-link.ts'

/**
 * Markdown as React elements, straight from the lexer's tokens. There is no HTML on the way, so there is nothing to
 * sanitise: raw HTML is shown as the text it is. Written without JSX so that node:test can run it as it stands.
 */
export const Markdown = memo(function Markdown({ text, words }: { text: string; words: CodeWords }): ReactNode {
  return toBlocks(text).map((token, index) => h(Block, { key: index, token, raw: token.raw, words }))
})

export function toBlocks(text: string): Token[] {
  return lexed(text) ?? [{ type: 'html', raw: text, text, pre: false, block: true }]
}

/** While a reply streams, only its last block changes: the others are compared by their source and left alone. */
const Block = memo(
  function Block({ token, words }: { token: Token; raw: string; words: CodeWords }): ReactNode {
    return render(token as MarkedToken, words, 0)
  },
  (before, after) => before.raw === after.raw && before.token.type === after.token.type && before.words === after.words,
)

const all = (tokens: readonly Token[] | undefined, words: CodeWords, depth: number): ReactNode[] =>
  (tokens ?? []).map((token, index) => h(Fragment, { key: index }, render(token as MarkedToken, words, depth + 1)))

function render(token: MarkedToken, words: CodeWords, depth: number): ReactNode {
  if (depth > deepest) return token.raw
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return h('p', { dir: 'auto' }, all(token.tokens, words, depth))
    case 'heading':
      // The page's own headings are the first two levels.
      return h(`h${Math.min(6, token.depth + 2)}`, { dir: 'auto' }, all(token.tokens, words, depth))
    case 'blockquote':
      return h('blockquote', { dir: 'auto' }, all(token.tokens, words, depth))
    case 'list': {
      const items = token.items.map((item, index) => h('li', { key: index, dir: 'auto' }, all(item.tokens, words, depth)))
      return token.ordered
        ? h('ol', { start: token.start === '' ? undefined : Math.min(token.start, 1_000_000_000) }, items)
        : h('ul', null, items)
    }
    case 'list_item':
      return h('li', { dir: 'auto' }, all(token.tokens, words, depth))
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'code':
      return h(CodeBlock, { text: token.text, language: token.lang ?? '', words })
    case 'table': {
      const cell = (tag: 'th' | 'td') => (one: (typeof token.header)[number], index: number) =>
        h(
          tag,
          {
            key: index,
            dir: 'auto',
            className: one.align === null ? undefined : `md-${one.align}`,
            scope: tag === 'th' ? 'col' : undefined,
          },
          all(one.tokens, words, depth),
        )
      return h(
        'div',
        { className: 'md-table', role: 'region', tabIndex: 0, 'aria-label': words.table },
        h(
          'table',
          null,
          h('thead', null, h('tr', null, token.header.map(cell('th')))),
          h(
            'tbody',
            null,
            token.rows.map((row, index) => h('tr', { key: index }, row.map(cell('td')))),
          ),
        ),
      )
    }
    case 'hr':
      return h('hr')
    case 'html':
      return token.block ? h('p', { dir: 'auto', className: 'md-source' }, token.text.trimEnd()) : token.text
    case 'strong':
      return h('strong', null, all(token.tokens, words, depth))
    case 'em':
      return h('em', null, all(token.tokens, words, depth))
    case 'del':
      return h('del', null, all(token.tokens, words, depth))
    case 'codespan':
      return h('code', { dir: 'ltr' }, token.text)
    case 'br':
      return h('br')
    case 'link': {
      const href = safeLink(token.href)
      return href === null ? token.raw : h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, all(token.tokens, words, depth))
    }
    case 'image': {
      // A picture of an address that a model chose would tell its owner who reads; the reader decides by a click.
      const href = safeLink(token.href)
      return href === null ? token.raw : h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, decodeEntities(token.text) || href)
    }
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? all(token.tokens, words, depth) : decodeEntities(token.text)
  }
}
