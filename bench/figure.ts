/** One measured number. `floor` is what the same work costs without any framework, measured in the same run. */
export type Figure = {
  bench: string
  figure: string
  value: number
  unit: string
  floor?: number
  /** The target in words, and whether this run reached it. */
  aim?: string
  met?: boolean
  [more: string]: unknown
}

/** Prints one JSON line. A number that is no number was not measured, and that must not pass for a result. */
export function print({ bench, figure, value, unit, floor, ...more }: Figure): void {
  if (!Number.isFinite(value) || value < 0) throw new Error(`${bench} ${figure}: nothing was measured (${value})`)
  if (floor !== undefined && !(floor > 0)) throw new Error(`${bench} ${figure}: the floor was not measured (${floor})`)
  const compared = floor === undefined ? {} : { floor: short(floor), ratio: short(value / floor) }
  process.stdout.write(`${JSON.stringify({ bench, figure, value: short(value), unit, ...compared, ...more })}\n`)
}

/** Three significant digits: the rest is noise. */
export const short = (value: number): number => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The mode chosen on the command line: a short run, or figures to publish. */
export const isQuick: boolean = process.argv.includes('--quick')
export const many = (full: number, quick: number): number => (isQuick ? quick : full)
