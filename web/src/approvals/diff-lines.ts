export type DiffLine = { kind: 'added' | 'removed' | 'head' | 'same'; text: string }

/** The lines of a unified diff; null for text that is none. */
export function diffLines(text: string): DiffLine[] | null {
  if (!/^@@ /m.test(text)) return null
  let isInHunk = false
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line): DiffLine => {
      if (line.startsWith('@@ ')) isInHunk = true
      // Before the first hunk, `---` and `+++` name the file; inside one they are lines that begin with dashes or pluses.
      if (!isInHunk || line.startsWith('@@ ')) return { kind: 'head', text: line }
      return { kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same', text: line }
    })
}

/** Several files in one text: a new header ends the hunk before it. */
export const countLines = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
})
