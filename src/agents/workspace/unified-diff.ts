export const diffLimits = { contextLines: 3, comparedPairs: 1_000_000 } as const

type Edit = { sign: ' ' | '-' | '+'; line: string }

/**
 * The change of a text file as a unified diff. `before` is null for a file that does not exist yet. Large parts that differ
 * are shown as removed and added as a whole; no change is omitted.
 */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const header = `--- ${before === null ? '/dev/null' : path}\n+++ ${path}`
  const hunks = toHunks(edits(splitLines(before ?? ''), splitLines(after)))
  return [header, ...hunks].join('\n')
}

const noNewline = '\n\\ No newline at end of file'

/** The marker belongs to its line, so that a line with and without its end are two different lines. */
function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, last + noNewline]
}

function edits(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: ' ', line }))
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

/** Longest common subsequence, by the table of its lengths. */
function middle(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: '-', line }))
  const added = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: '+', line }))
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > diffLimits.comparedPairs) return [...removed(before), ...added(after)]
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const path: Edit[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    const [old = '', next = ''] = [before[row], after[column]]
    if (old === next) {
      path.push({ sign: ' ', line: old })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      path.push({ sign: '-', line: old })
      row += 1
    } else {
      path.push({ sign: '+', line: next })
      column += 1
    }
  }
  return [...path, ...removed(before.slice(row)), ...added(after.slice(column))]
}

function toHunks(all: readonly Edit[]): string[] {
  const hunks: string[] = []
  const { contextLines } = diffLimits
  let old = 1
  let next = 1
  for (let at = 0; at < all.length;) {
    if (all[at]?.sign === ' ') {
      at += 1
      old += 1
      next += 1
      continue
    }
    const from = Math.max(0, at - contextLines)
    let last = at
    for (let look = at; look < all.length && look <= last + 2 * contextLines; look += 1) if (all[look]?.sign !== ' ') last = look
    const hunk = all.slice(from, Math.min(all.length, last + 1 + contextLines))
    const count = (sign: Edit['sign']): number => hunk.filter((edit) => edit.sign === ' ' || edit.sign === sign).length
    const [oldStart, newStart] = [old - (at - from), next - (at - from)]
    hunks.push(`@@ -${range(oldStart, count('-'))} +${range(newStart, count('+'))} @@`, ...hunk.map(({ sign, line }) => sign + line))
    for (; at <= last; at += 1) {
      if (all[at]?.sign !== '+') old += 1
      if (all[at]?.sign !== '-') next += 1
    }
    // The trailing context is counted when the loop passes it.
  }
  return hunks
}

/** An empty range is named by the line before it. */
const range = (start: number, count: number): string => (count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`)
