import { withVisibleCharacters } from '../../authority/visible-text.ts'
import type { CapabilitySheet } from '../../ports/channel.ts'

/** A piece of a long text. `isSameLine`: the break before it stands inside a line, not at its end. */
export type ShownPiece = { text: string; isSameLine: boolean }

export const shownLimits = {
  /** Characters of one piece: with its title it fits into one message of every platform that takes 4,000. */
  pieceChars: 3_300,
  /** More pieces than this are not read in a chat: the page shows the call instead. */
  pieces: 8,
  /** Fences and the line above a piece. */
  aroundChars: 100,
  /** A channel whose messages take less than this shows no call in pieces. */
  shortestPiece: 200,
} as const

/** Characters of a call that one message of this channel shows, besides its title and markup. */
export function getPieceChars(sheet: CapabilitySheet | undefined): number {
  const { maxLength = Infinity, maxBlockLength = Infinity, encoding } = sheet?.presentation.limits?.text ?? {}
  const units = Math.min(maxLength, maxBlockLength) / (encoding === 'utf8-bytes' ? 3 : 1)
  return Math.min(shownLimits.pieceChars, Math.floor(units) - shownLimits.aroundChars)
}

/**
 * Parts a text so that the pieces together are the text: nothing is trimmed, and a break inside a line is marked as such.
 * Invisible characters are written out.
 */
export function shownPieces(text: string, pieceChars: number): ShownPiece[] {
  const visible = withVisibleCharacters(text)
  const pieces: ShownPiece[] = []
  let isSameLine = false
  for (let from = 0; from < visible.length || pieces.length === 0;) {
    const rest = visible.length - from
    if (rest <= pieceChars) {
      pieces.push({ text: visible.slice(from), isSameLine })
      break
    }
    // A line break at the very end belongs to the last piece.
    const lineEnd = visible.lastIndexOf('\n', Math.min(from + pieceChars, visible.length - 2))
    const atLine = lineEnd > from
    const end = atLine ? lineEnd : wholeCharacters(visible, from + pieceChars)
    pieces.push({ text: visible.slice(from, end), isSameLine })
    isSameLine = !atLine
    from = atLine ? end + 1 : end
  }
  return pieces
}

/** Not between the two halves of a character. */
const wholeCharacters = (text: string, end: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end)

/** As a code block: a fence that is longer than any in the text, so that nothing in it is read as formatting. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** On one line and without formatting: for names, paths and reasons, which others chose. */
export const oneLine = (text: string): string =>
  withVisibleCharacters(text).replace(/[\n\t]/g, (char) => (char === '\n' ? '⟨U+000A⟩' : '⟨U+0009⟩'))

/** Names are chosen by their owners: none may look like a role, a link or the end of its sentence. */
export const shownName = (name: string): string =>
  oneLine(name)
    .replace(/[()（）[\]{}*_`~<>|\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
    .toWellFormed()

/** For text that stands behind words of ours: at the start of a line more signs would count. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]~]/g, (char) => `\\${char}`)
