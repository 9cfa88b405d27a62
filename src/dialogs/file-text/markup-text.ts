/** The step of reading a marked-up document at a tag. `skip`: nothing up to the end tag of this name is read. */
export type TagRule = { write?: string; skip?: true } | undefined

/**
 * The text between tags. It reads forward only, so time is linear in any input, and it knows nothing of correct nesting: what
 * people send is often broken. `isText` says if the text after the last tag counts.
 */
export function markupText(markup: string, rule: (tag: string) => TagRule, isText: (lastTag: string) => boolean = () => true): string {
  const parts: string[] = []
  const lower = markup.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let at = 0
  let lastTag = ''
  for (;;) {
    const open = markup.indexOf('<', at)
    if (isText(lastTag)) parts.push(decodeEntities(markup.slice(at, open === -1 ? undefined : open)))
    if (open === -1) break
    const isComment = markup.startsWith('<!--', open)
    const close = markup.indexOf(isComment ? '-->' : '>', open)
    if (close === -1) break
    at = close + (isComment ? 3 : 1)
    if (isComment) continue
    const [tag = ''] = /^\/?[a-z0-9:]{1,40}/.exec(lower.slice(open + 1, open + 42)) ?? []
    const { write, skip } = rule(tag) ?? {}
    if (write !== undefined) parts.push(write)
    lastTag = markup[close - 1] === '/' ? `${tag}/` : tag
    if (!skip || lastTag.endsWith('/')) continue
    const end = lower.indexOf(`</${tag}`, at)
    if (end === -1) break
    at = end
  }
  return parts.join('')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code <= 0x10ffff && code > 0 ? String.fromCodePoint(code).toWellFormed() : whole
  })
}

const skipped = new Set(['script', 'style', 'template', 'noscript', 'svg'])
const lines = new Set(
  'p div br li tr table ul ol h1 h2 h3 h4 h5 h6 section article header footer main nav blockquote pre hr dt dd figure'.split(' '),
)

/** The text of a page, without scripts and styles. */
export function htmlText(html: string): string {
  const text = markupText(html, (tag) => {
    if (skipped.has(tag)) return { skip: true }
    if (tag === '/td' || tag === '/th') return { write: '\t' }
    return lines.has(tag.replace('/', '')) ? { write: '\n' } : undefined
  })
  return tidyLines(text)
}

/** The text of the main part of a DOCX file. */
export function wordText(xml: string): string {
  const text = markupText(
    xml,
    (tag) => {
      if (tag === 'w:tab' || tag === '/w:tc') return { write: '\t' }
      return tag === 'w:br' || tag === 'w:cr' || tag === '/w:p' ? { write: '\n' } : undefined
    },
    (lastTag) => lastTag === 'w:t',
  )
  return tidyLines(text)
}

/** At most one empty line between two others. */
function tidyLines(text: string): string {
  const kept: string[] = []
  for (const line of text.split('\n').map((one) => one.trimEnd().replaceAll(/[ \u00a0]+/g, ' '))) {
    const isRepeated = line.trim() === '' && (kept.at(-1)?.trim() ?? '') === ''
    if (!isRepeated) kept.push(line)
  }
  return kept.join('\n').trim()
}
