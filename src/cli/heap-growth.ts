import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

export const heapLimits = {
  /** Both halves of the young generation. V8 would let it grow to 128 MB. */
  youngBytes: 32 * 1024 * 1024,
  /** Garbage may take so much of what is in use before the old generation is collected. V8 would allow 300. */
  garbagePercent: 50,
} as const

const sizeOptions =
  /^--(?:m(?:in|ax)[-_]semi[-_]space[-_]size|semi[-_]space[-_]growth[-_]factor|max[-_](?:old[-_]space|heap)[-_]size|heap[-_]growing[-_]percent|optimize[-_]for[-_]size)/

/**
 * Keeps the heap of a server close to what it uses. V8 sizes its heap for throughput: with 500 hostile connections 35 MB are in
 * use, and garbage takes 250 MB more before it is collected. V8 reads both flags at each collection, so they may change while
 * the program runs. An operator who gives V8 an option for the size of the heap decides instead.
 */
export function boundHeapGrowth(): void {
  const nodeFlags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  if (nodeFlags.some((option) => sizeOptions.test(option))) return
  setFlagsFromString(`--heap-growing-percent=${heapLimits.garbagePercent}`)
  let factor = 2
  const adjust = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    // V8 makes the young generation smaller when little is allocated, so it must be able to grow again.
    const next = (young?.space_size ?? 0) * 2 > heapLimits.youngBytes ? 1 : 2
    if (next !== factor) setFlagsFromString(`--semi-space-growth-factor=${next}`)
    factor = next
  }
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
  adjust()
}
