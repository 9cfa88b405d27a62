import { fromLetters } from './read-back.ts'

const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', s: '~~', del: '~~' }

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** HTML of a message as Markdown: the tags that our renderers write. Telegram and Teams take such HTML. */
export function readHtml(html: string): string {
  const links: string[] = []
  let out = ''
  let code: 'none' | 'inline' | 'block' = 'none'
  let quoteFrom = 0
  for (const [, tag, letters] of html.matchAll(/(<[^<>]*>)|([^<]+)/g)) {
    if (tag === undefined) {
      out += code === 'none' ? fromLetters(decode(letters ?? '')) : decode(letters ?? '')
      continue
    }
    const [, isEnd = '', name = ''] = /^<(\/?)([a-z]+)/.exec(tag) ?? []
    if (name === 'br') out += '\n'
    else if (name === 'a') {
      if (isEnd === '') links.push(decode(/href="([^"]*)"/.exec(tag)?.[1] ?? ''))
      out += isEnd === '' ? '[' : `](<${links.pop() ?? ''}>)`
    } else if (name === 'pre') {
      code = isEnd === '' ? 'block' : 'none'
      out += isEnd === '' ? '\n```\n' : '\n```\n'
    } else if (name === 'code' && code !== 'block') {
      code = isEnd === '' ? 'inline' : 'none'
      out += '`'
    } else if (name === 'blockquote' && isEnd === '') quoteFrom = out.length
    else if (name === 'blockquote') out = `${out.slice(0, quoteFrom)}${out.slice(quoteFrom).replaceAll(/^/gm, '> ')}\n`
    else out += marks[name] ?? ''
  }
  return out
}
