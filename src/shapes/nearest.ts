/** Something in the configuration that does not work. The rest goes on without it. */
export type Problem = {
  kind: 'unreadable' | 'unknown-key' | 'wrong-value' | 'missing-variable' | 'unusable'
  file: string
  /** Such as `team.members.ada.model`; empty for the file as a whole. */
  path: string
  why: string
  line: number | null
}

/** One sentence for a person: where and why. */
export function problemInWords({ file, path, why, line }: Problem): string {
  const where = `${file}${line === null ? '' : `:${line}`}`
  return path === '' ? `${where}: ${why}` : `${where}: ${path}: ${why}`
}

/** The known name that was probably meant, if one is near enough to be worth suggesting. */
export function nearest(given: string, known: readonly string[]): string | null {
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(given.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** With the neighbour, "did you mean" beats a list of everything. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const near = nearest(given, known)
  if (near !== null) return `${what} "${given}" is not known. Did you mean "${near}"?`
  return known.length === 0
    ? `${what} "${given}" is not known.`
    : `${what} "${given}" is not known. Known: ${known.slice(0, 12).join(', ')}.`
}

/** Optimal string alignment: a swap of two neighbours, the commonest slip, counts as one. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? limit
}
