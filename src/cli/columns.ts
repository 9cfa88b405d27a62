import { displayWidth } from './display-width.ts'
import { oneLine } from './plain-text.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Cut to so many columns of a terminal, where a Chinese character takes two; whole graphemes only. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment)
    if (used > width) break
    cut += segment
  }
  return `${cut}…`
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

export type Cell = { text: string; paint?: (text: string) => string }

/** Rows in columns, padded by display width. The last column is cut to what is left of the line. */
export function columns(rows: readonly (readonly (string | Cell)[])[], lineWidth: number): string[] {
  const cells = rows.map((row) =>
    row.map((cell): Cell => (typeof cell === 'string' ? { text: cell } : cell)).map((cell) => ({ ...cell, text: oneLine(cell.text) })),
  )
  const widths: number[] = []
  for (const row of cells) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell.text))
  return cells.map((row) => {
    let widthLeft = lineWidth
    let line = ''
    for (const [at, cell] of row.entries()) {
      const last = at === row.length - 1
      const text = last ? fit(cell.text, Math.max(widthLeft, 10)) : pad(cell.text, widths[at] ?? 0)
      line += (cell.paint ? cell.paint(text) : text) + (last ? '' : '  ')
      widthLeft -= (widths[at] ?? 0) + 2
    }
    return line.trimEnd()
  })
}
