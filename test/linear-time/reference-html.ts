/** The conversion as 0.1 had it, which takes quadratic time: what today's must give the same text as. */
/** Formatting entities left in this message. */
type Entities = { left: number }

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapeAttribute = (text: string): string => escapeHtml(text).replaceAll('"', '&quot;')

export function referenceHtml(markdown: string, entities: Entities): string {
  const out: string[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/.exec(line)
    const end = fence ? closingLine(lines, at, fence[1] ?? '') : -1
    if (fence && end > at + 1 && take(entities)) {
      out.push(codeBlock(lines.slice(at + 1, end).join('\n'), fence[2] ?? ''))
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
  const [, heading] = /^#{1,6} +(\S.*?)(?: +#+)?$/.exec(line) ?? []
  if (heading !== undefined && take(entities)) return `<b>${inline(heading, entities)}</b>`
  const [, indent, item] = /^(\s*)[-*+] +(\S.*)$/.exec(line) ?? []
  if (item !== undefined) return `${indent}• ${inline(item, entities)}`
  return inline(line, entities)
}

function closingLine(lines: readonly string[], from: number, marker: string): number {
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim()
    if (line.startsWith(marker) && line === marker.charAt(0).repeat(line.length)) return at
  }
  return -1
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

/** Tried in this order at each place: code holds no other formatting, a link holds no link. */
const pattern =
  /(?<code>(?<!`)(`+)(?!`)([^\n]*?[^`\n])\2(?!`))|\[(?<text>[^\][\n]+)\]\((?<url>(?:https?:\/\/|tg:\/\/|mailto:|tel:)[^\s()<>"]*(?:\([^\s()<>"]*\)[^\s()<>"]*)*)\)|\*\*(?=\S)(?<bold>(?:[^*\n]|\*(?!\*))*[^*\s])\*\*|~~(?=\S)(?<strike>[^~\n]*[^~\s])~~|(?<![*\w])\*(?=\S)(?<italic>[^*\n]*[^*\s])\*(?![*\w])|(?<![_\w])__(?=\S)(?<bold2>[^_\n]*[^_\s])__(?![_\w])|(?<![_\w])_(?=\S)(?<italic2>[^_\n]*[^_\s])_(?![_\w])|\\(?<escaped>[\\`*_[\]()~>#+.!|-])/g

function inline(text: string, entities: Entities, depth = 0): string {
  // Four levels are enough for readers.
  if (depth > 3) return escapeHtml(text)
  let html = ''
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const groups = match.groups ?? {}
    const shown = formatted(groups, match[3], entities, depth)
    if (shown === undefined) continue
    html += escapeHtml(text.slice(from, match.index)) + shown
    from = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(from))
}

function formatted(
  groups: Record<string, string | undefined>,
  code: string | undefined,
  entities: Entities,
  depth: number,
): string | undefined {
  if (groups['escaped'] !== undefined) return escapeHtml(groups['escaped'])
  if (groups['code'] !== undefined) {
    const inside = (code ?? '').replace(/^ (.*`.*) $/, '$1')
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
