/**
 * Markdown as people and models write it, spelled in the markup of a platform. Everything that is not recognised stays as it
 * was written, and every character of the content is escaped, so no content can break the markup or smuggle in a tag.
 * The visible text is never longer than the source.
 */

/** The markup of a platform. `inside` is spelled already, `text` and `url` are not. */
export type Spelling = {
  escape(text: string): string
  bold(inside: string): string
  italic(inside: string): string
  strike(inside: string): string
  code(text: string): string
  codeBlock(text: string, language: string): string
  quote(inside: string): string
  link(inside: string, url: string): string
}

/** Code ends at the next run of as many backticks, so it stands between more than it holds. */
function spellCode(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const mark = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${mark}${space}${text}${space}${mark}`
}

/** Markdown for platforms that read it themselves. */
export const markdownSpelling: Omit<Spelling, 'escape' | 'link'> = {
  bold: (inside) => `**${inside}**`,
  italic: (inside) => `*${inside}*`,
  strike: (inside) => `~~${inside}~~`,
  code: spellCode,
  // Three backticks would end the block. The space between them has no width.
  codeBlock: (text, language) => `\`\`\`${language}\n${text.replaceAll('```', '`\u200B``')}\n\`\`\``,
  quote: (inside) =>
    inside
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
}

/** Escapes everything but links that the platform finds by itself: they would contain the escapes. */
export function escapeAround(bareUrl: RegExp, text: string, escape: (words: string) => string): string {
  let output = ''
  let from = 0
  for (const { index, 0: url } of text.matchAll(bareUrl)) {
    output += escape(text.slice(from, index)) + url
    from = index + url.length
  }
  return output + escape(text.slice(from))
}

/** Formatting entities left in this message. */
export type Entities = { left: number }

export function spellMarkdown(markdown: string, spelling: Spelling, entities: Entities = { left: Infinity }): string {
  const out: string[] = []
  const lines = markdown.split('\n')
  const closings = closingLines(lines)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = /^ {0,3}(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line)
    const end = fence && entities.left > 0 ? closings(at, fence[1] ?? '') : -1
    if (fence && end > at + 1 && take(entities)) {
      const [, language = ''] = /^\s*([\w+#.-]*)/.exec(fence[2] ?? '') ?? []
      out.push(spelling.codeBlock(lines.slice(at + 1, end).join('\n'), language))
      at = end
    } else if (/^> ?\S/.test(line) && take(entities)) {
      const quoted: string[] = []
      while (lines[at]?.startsWith('>')) quoted.push(inline((lines[at++] ?? '').replace(/^> ?/, ''), spelling, entities))
      at -= 1
      out.push(spelling.quote(quoted.join('\n')))
    } else {
      out.push(spellLine(line, spelling, entities))
    }
  }
  return out.join('\n')
}

function spellLine(line: string, spelling: Spelling, entities: Entities): string {
  const [, heading] = /^#{1,6} +(\S.*)$/.exec(line) ?? []
  if (heading !== undefined && take(entities)) return spelling.bold(inline(heading.replace(/(?<! ) +#+$/, ''), spelling, entities))
  const [, indent, item] = /^(\s*)[-*+] +(\S.*)$/.exec(line) ?? []
  if (item !== undefined) return `${indent}• ${inline(item, spelling, entities)}`
  return inline(line, spelling, entities)
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
function inline(text: string, spelling: Spelling, entities: Entities, depth = 0): string {
  // Four levels are enough for readers.
  if (depth > 3) return spelling.escape(text)
  let output = ''
  let from = 0
  const codeAt = codeSpans(text)
  special.lastIndex = 0
  for (let place = special.exec(text); place; place = special.exec(text)) {
    const match = codeAt(place.index) ?? foundAt(text, place.index)
    if (!match) continue
    const formattedText = formatted(match.groups, match.code, spelling, entities, depth)
    special.lastIndex = match.end
    if (formattedText === undefined) continue
    output += spelling.escape(text.slice(from, place.index)) + formattedText
    from = match.end
  }
  return output + spelling.escape(text.slice(from))
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
  spelling: Spelling,
  entities: Entities,
  depth: number,
): string | undefined {
  if (groups['escaped'] !== undefined) return spelling.escape(groups['escaped'])
  if (groups['code'] !== undefined) {
    const inside = (code ?? '').replace(/^ ([^`\n\r\u2028\u2029]*`.*) $/, '$1')
    return inside.trim() !== '' && take(entities) ? spelling.code(inside) : undefined
  }
  const marks = [
    [groups['bold'] ?? groups['bold2'], spelling.bold],
    [groups['italic'] ?? groups['italic2'], spelling.italic],
    [groups['strike'], spelling.strike],
  ] as const
  for (const [inside, spell] of marks)
    if (inside !== undefined) return take(entities) ? spell(inline(inside, spelling, entities, depth + 1)) : undefined
  const { text = '', url = '' } = groups
  if (text.trim() === '' || !take(entities)) return undefined
  // A link inside a link has no spelling; its text is shown as it was written.
  return spelling.link(inline(text, spelling, entities, depth + 1), url)
}
