import { mapSpans } from './code-spans.ts'

export const conversationTokens = { like: 'like', dislike: 'dislike', end: 'request_conversation_end' } as const

/** A token that a world adds for its members. `isCounted`: it is counted in the world's figures. */
export type WorldToken = { name: string; meaning: string; isCounted: boolean }

export const isWorldTokenName = (name: string): boolean =>
  /^[a-z][a-z0-9_]{0,29}$/.test(name) && !Object.values<string>(conversationTokens).includes(name)

/** The longest `[[name]]`. */
const longestToken = 34

/** Stands for a character of code; it is part of no token and no white space. */
const codeMark = '\u0001'

/** The tokens at the end of a line from left to right, and where the text before them ends. */
function readLineEnd(line: string, known: ReadonlySet<string>): { names: string[]; end: number } {
  const names: string[] = []
  let end = line.length
  for (;;) {
    while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1
    const name = /\[\[([a-z][a-z0-9_]{0,29})\]\]$/.exec(line.slice(Math.max(0, end - longestToken), end))?.[1]
    if (name === undefined || !known.has(name)) return { names: names.toReversed(), end }
    names.push(name)
    end -= name.length + 4
  }
}

function readLines(text: string, declared: readonly WorldToken[]): { line: string; names: string[]; end: number }[] {
  const tokenNames = new Set<string>([...Object.values(conversationTokens), ...declared.map(({ name }) => name)])
  const masked = mapSpans(text, (span) => (span.isCode ? span.text.replace(/[^\n]/g, codeMark) : span.text)).split('\n')
  return text.split('\n').map((line, index) => ({ line, ...readLineEnd(masked[index] ?? '', tokenNames) }))
}

/**
 * The known tokens of a text in their order. Only a token that ends its line counts, and none inside code: a sentence that
 * mentions one is not a vote. Unknown names are text.
 */
export const readTokens = (text: string, declared: readonly WorldToken[] = []): string[] =>
  readLines(text, declared).flatMap(({ names }) => names)

/** The text as people read it, and the marks that stand for its tokens. */
export function textForPeople(text: string, declared: readonly WorldToken[] = []): { text: string; marks: string[] } {
  const lines = readLines(text, declared)
  const shown = lines.map(({ line, names, end }) => (names.length > 0 ? line.slice(0, end) : line)).join('\n')
  return { text: shown.trim(), marks: lines.flatMap(({ names }) => names) }
}
