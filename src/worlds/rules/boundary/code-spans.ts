/** A piece of a text: in a code fence, in inline code, or neither. The pieces joined are the text. */
export type Span = { text: string; isCode: boolean }

/** Splits into prose and code. A fence that is not closed reaches to the end, as Markdown reads it. */
export function splitCode(text: string): Span[] {
  const spans: Span[] = []
  let fence: string | null = null
  let piece = ''
  const flush = (isCode: boolean): void => {
    if (piece !== '') spans.push(...(isCode ? [{ text: piece, isCode }] : splitInline(piece)))
    piece = ''
  }
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === null && mark !== undefined) {
      flush(false)
      fence = mark
    }
    const closes: boolean = piece !== '' && fence !== null && mark !== undefined && mark.startsWith(fence) && line.trim() === mark
    piece += line
    if (closes) {
      flush(true)
      fence = null
    }
  }
  flush(fence !== null)
  return spans
}

/** One code span on one line: `like this`. */
function splitInline(text: string): Span[] {
  return text
    .split(/(`[^`\n]+`)/)
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
    .filter((span) => span.text !== '')
}

/** The text with `change` applied to its prose or to its code. */
export const mapSpans = (text: string, change: (span: Span) => string): string => splitCode(text).map(change).join('')
