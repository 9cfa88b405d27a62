const share = 0.2

/**
 * The mean without the fifth of the values at each end, and half of the range that holds it in 95 of 100 runs: the deviation
 * is that of the values with the ends drawn in to the last ones that count.
 */
export function trimmed(values: readonly number[]): { mean: number; half: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const cut = Math.floor(sorted.length * share)
  const inside = sorted.slice(cut, sorted.length - cut)
  const average = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
  const [low = Number.NaN, high = Number.NaN] = [inside[0], inside.at(-1)]
  const drawnIn = sorted.map((value) => Math.min(high, Math.max(low, value)))
  const middle = average(drawnIn)
  const variance = drawnIn.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, sorted.length - 1)
  return { mean: average(inside), half: (1.96 * Math.sqrt(variance)) / ((1 - 2 * share) * Math.sqrt(sorted.length)) }
}
