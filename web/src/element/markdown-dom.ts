import type { MarkedToken, Token } from 'marked'
import { decodeEntities } from '../markdown/entities.ts'
import { lexed } from '../markdown/lexed.ts'
import { safeLink } from '../markdown/safe-link.ts'
import { make } from './dom.ts'

const deepest = 24

/** Markdown as nodes, straight from the lexer's tokens, by the same rules as the page: HTML in it is shown as the text it is. */
export function markdown(text: string, names: { code: string; table: string }): DocumentFragment {
  const whole = document.createDocumentFragment()
  whole.append(...getNodes(text, names))
  return whole
}

function getNodes(text: string, names: { code: string; table: string }): (Node | string)[] {
  const tokens = lexed(text)
  return tokens ? all(tokens, names, 0) : [make('p', { class: 'source' }, text)]
}

const all = (tokens: readonly Token[] | undefined, names: { code: string; table: string }, depth: number): (Node | string)[] =>
  (tokens ?? []).flatMap((token) => getNode(token as MarkedToken, names, depth + 1))

function getNode(token: MarkedToken, names: { code: string; table: string }, depth: number): (Node | string)[] {
  if (depth > deepest) return [token.raw]
  const inside = (tokens: readonly Token[] | undefined): (Node | string)[] => all(tokens, names, depth)
  const auto = { dir: 'auto' }
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'paragraph':
      return [make('p', auto, ...inside(token.tokens))]
    case 'heading':
      return [make(token.depth < 3 ? 'h4' : 'h5', auto, ...inside(token.tokens))]
    case 'blockquote':
      return [make('blockquote', auto, ...inside(token.tokens))]
    case 'list': {
      const items = token.items.map((item) => make('li', auto, ...inside(item.tokens)))
      const start = token.start === '' ? undefined : Math.min(token.start, 1_000_000_000)
      return [token.ordered ? make('ol', { start }, ...items) : make('ul', {}, ...items)]
    }
    case 'list_item':
      return [make('li', auto, ...inside(token.tokens))]
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ ']
    case 'code':
      return [make('pre', { tabindex: 0, role: 'region', 'aria-label': names.code, dir: 'ltr' }, make('code', {}, token.text))]
    case 'table': {
      const cell = (tag: 'th' | 'td') => (one: (typeof token.header)[number]) => make(tag, auto, ...inside(one.tokens))
      const head = make('thead', {}, make('tr', {}, ...token.header.map(cell('th'))))
      const body = make('tbody', {}, ...token.rows.map((row) => make('tr', {}, ...row.map(cell('td')))))
      return [make('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': names.table }, make('table', {}, head, body))]
    }
    case 'hr':
      return [make('hr')]
    case 'html':
      return token.block ? [make('p', { dir: 'auto', class: 'source' }, token.text.trimEnd())] : [token.text]
    case 'strong':
    case 'em':
    case 'del':
      return [make(token.type, {}, ...inside(token.tokens))]
    case 'codespan':
      return [make('code', { dir: 'ltr' }, token.text)]
    case 'br':
      return [make('br')]
    case 'link':
    case 'image': {
      // A picture would tell its owner who reads; as on the page, the reader decides by a click.
      const href = safeLink(token.href)
      if (href === null) return [token.raw]
      const words = token.type === 'image' ? [decodeEntities(token.text) || href] : inside(token.tokens)
      return [make('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...words)]
    }
    case 'escape':
      return [token.text]
    case 'text':
      return token.tokens ? inside(token.tokens) : [decodeEntities(token.text)]
  }
}
