/**
 * Markdown as people and models write it, to the HTML of the Bot API. Everything that is not recognised stays as it was
 * written, and every character of the content is escaped, so no content can break the markup or smuggle in a tag.
 * The visible text is never longer than the source.
 */

/** Formatting entities left in this message. */
export type Entities = { left: number }

export const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapeAttribute = (text: string): string => escapeHtml(text).replaceAll('"', '&quot;')

export function markdownToHtml(markdown: string, entities: Entities): string {
  const out: string[] = []
  const lines = markdown.split('\n')
  const closings = closingLines(lines)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = /^ {0,3}(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line)
    const end = fence && entities.left > 0 ? closings(at, fence[1] ?? '') : -1
    if (fence && end > at + 1 && take(entities)) {
      const [, language = ''] = /^\s*([\w+#.-]*)/.exec(fence[2] ?? '') ?? []
      out.push(codeBlock(lines.slice(at + 1, end).join('\n'), language))
      at = end
    } else if (/^> ?\S/.test(line) && take(entities)) {
      const quoted: string[] = []
      while (lines[at]?.startsWith('>')) quoted.push(inline((lines[at++] ?? '').replace(/^> ?/, ''), entities))
      at -= 1
      out.push(`<blockquote>${quoted.join('\n')}</blockquote>`)
    } else {
      out.push(lineToHtml(line, entities))
    }
  }
  return out.join('\n')
}

function lineToHtml(line: string, entities: Entities): string {
  const [, heading] = /^#{1,6} +(\S.*)$/.exec(line) ?? []
  if (heading !== undefined && take(entities)) return `<b>${inline(heading.replace(/(?<! ) +#+$/, ''), entities)}</b>`
  const [, indent, item] = /^(\s*)[-*+] +(\S.*)$/.exec(line) ?? []
  if (item !== undefined) return `${indent}• ${inline(item, entities)}`
  return inline(line, entities)
}

/**
 * Finds the line that closes a fence. The longest marker below each line is known beforehand, so a fence that nothing
 * closes is not looked for through the whole rest.
 */
function closingLines(lines: readonly string[]): (from: number, marker: string) => number {
  const markers = lines.map((line) => /^(?:`+|~+)$/.exec(line.trim())?.[0] ?? '')
  const longest = { '`': new Uint32Array(lines.length + 1), '~': new Uint32Array(lines.length + 1) }
  for (const [sign, below] of Object.entries(longest))
    for (let at = lines.length - 1; at >= 0; at -= 1)
      below[at] = Math.max(below[at + 1] ?? 0, markers[at]?.startsWith(sign) ? (markers[at]?.length ?? 0) : 0)
  return (from, marker) => {
    const below = longest[marker.startsWith('~') ? '~' : '`']
    if ((below[from + 1] ?? 0) < marker.length) return -1
    let at = from + 1
    while (!markers[at]?.startsWith(marker)) at += 1
    return at
  }
}

function codeBlock(code: string, language: string): string {
  const body = escapeHtml(code)
  return language === '' ? `<pre>${body}</pre>` : `<pre><code class="language-${escapeAttribute(language)}">${body}</code></pre>`
}

function take(entities: Entities): boolean {
  if (entities.left <= 0) return false
  entities.left -= 1
  return true
}

type Found = { end: number; groups: Record<string, string | undefined>; code?: string }

const special = /[`[*~_\\]/g
const link = /\[(?<text>[^\][\n]+)\]\((?<url>(?:https?:\/\/|tg:\/\/|mailto:|tel:)[^\s()<>"]*(?:\([^\s()<>"]*\)[^\s()<>"]*)*)\)/y
const escaped = /\\(?<escaped>[\\`*_[\]()~>#+.!|-])/y

/** Code holds no other formatting, a link holds no link. Each look ahead ends at the next mark of its kind. */
function inline(text: string, entities: Entities, depth = 0): string {
  // Four levels are enough for readers.
  if (depth > 3) return escapeHtml(text)
  let html = ''
  let from = 0
  const codeAt = codeSpans(text)
  special.lastIndex = 0
  for (let place = special.exec(text); place; place = special.exec(text)) {
    const match = codeAt(place.index) ?? foundAt(text, place.index)
    if (!match) continue
    const formattedHtml = formatted(match.groups, match.code, entities, depth)
    special.lastIndex = match.end
    if (formattedHtml === undefined) continue
    html += escapeHtml(text.slice(from, place.index)) + formattedHtml
    from = match.end
  }
  return html + escapeHtml(text.slice(from))
}

function foundAt(text: string, at: number): Found | undefined {
  switch (text.charAt(at)) {
    case '*':
      return between(text, at, { name: 'bold', mark: '**' }) ?? between(text, at, { name: 'italic', mark: '*', isAlone: true })
    case '~':
      return between(text, at, { name: 'strike', mark: '~~' })
    case '_':
      return (
        between(text, at, { name: 'bold2', mark: '__', isAlone: true }) ?? between(text, at, { name: 'italic2', mark: '_', isAlone: true })
      )
    case '[':
    case '\\': {
      const pattern = text.charAt(at) === '[' ? link : escaped
      pattern.lastIndex = at
      const groups = pattern.exec(text)?.groups
      return groups && { end: pattern.lastIndex, groups }
    }
    default:
      return undefined
  }
}

/** `isAlone`: neither a letter nor the same sign stands outside. */
function between(
  text: string,
  at: number,
  { name, mark, isAlone = false }: { name: string; mark: string; isAlone?: boolean },
): Found | undefined {
  const start = at + mark.length
  const isBeside = (index: number): boolean => isAlone && (text[index] === mark.charAt(0) || /\w/.test(text[index] ?? ''))
  if (!text.startsWith(mark, at) || isBeside(at - 1) || !/\S/.test(text[start] ?? '')) return undefined
  // Inside bold a single asterisk is a character like any other.
  const close = text.indexOf(mark === '**' ? mark : mark.charAt(0), start)
  const end = close + mark.length
  if (close <= start || !text.startsWith(mark, close) || /\s/.test(text[close - 1] ?? '') || isBeside(end)) return undefined
  return { end, groups: { [name]: text.slice(start, close) } }
}

/** Code lies between two runs of backticks of the same length, the second being the next one of that length. */
function codeSpans(text: string): (at: number) => Found | undefined {
  if (!text.includes('`')) return () => undefined
  const matchesByStart = new Map<number, Found>()
  const opened = new Map<number, number>()
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const open = opened.get(run.length)
    opened.set(run.length, index)
    if (open === undefined) continue
    const code = text.slice(open + run.length, index)
    matchesByStart.set(open, { end: index + run.length, groups: { code: run + code + run }, code })
  }
  return (at) => matchesByStart.get(at)
}

function formatted(
  groups: Record<string, string | undefined>,
  code: string | undefined,
  entities: Entities,
  depth: number,
): string | undefined {
  if (groups['escaped'] !== undefined) return escapeHtml(groups['escaped'])
  if (groups['code'] !== undefined) {
    const inside = (code ?? '').replace(/^ ([^`\n\r\u2028\u2029]*`.*) $/, '$1')
    return inside.trim() !== '' && take(entities) ? `<code>${escapeHtml(inside)}</code>` : undefined
  }
  const bold = groups['bold'] ?? groups['bold2']
  const italic = groups['italic'] ?? groups['italic2']
  const [tag, inside] =
    bold !== undefined
      ? ['b', bold]
      : italic !== undefined
        ? ['i', italic]
        : groups['strike'] !== undefined
          ? ['s', groups['strike']]
          : ['', '']
  if (tag !== '') return take(entities) ? `<${tag}>${inline(inside, entities, depth + 1)}</${tag}>` : undefined
  const { text = '', url = '' } = groups
  if (text.trim() === '' || !take(entities)) return undefined
  // A link inside a link is no HTML; its text is shown as it was written.
  return `<a href="${escapeAttribute(url)}">${inline(text, entities, depth + 1)}</a>`
}
