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
