export const linearTimeLimits = {
  /** CPU time at 20 kB divided by that at 5 kB: linear is 4, quadratic 16. */
  ratio: 6,
  /**
   * A call that takes less than this at 20 kB may exceed the ratio once, if it keeps to it from 20 to 80 kB. A few
   * microseconds show steps that are not growth: the first object above 128 kB, more than the cache of the processor holds.
   */
  stepMs: 8,
  /**
   * A call that takes less than this at 20 kB is not judged: caches and the first large object change a few microseconds tenfold,
   * and even quadratic growth would cost 3 ms for the longest text there is, 100 kB.
   */
  leastMs: 0.1,
} as const

/** Repeats of a call are at least as long as this together, so that the clock can tell them apart. */
const enoughMs = 2
/** As above for a first look, which only has to tell 4 from 16. */
const firstLookMs = 0.1

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** CPU time of one call, measured over so many. */
function spentMs(run: () => void, times = 1): number {
  const start = cpuMs()
  for (let count = 0; count < times; count += 1) run()
  return (cpuMs() - start) / times
}

/** How often a call has to be repeated to take so long. */
function repeatsFor(run: () => void, leastMs: number): number {
  for (let times = 1; ;) {
    const spent = spentMs(run, times) * times
    if (spent >= leastMs) return times
    times = Math.ceil(times * Math.min(100, Math.max(2, (leastMs * 1.5) / Math.max(spent, 0.001))))
  }
}

const bestOf = (samples: number, run: () => void, times: number): number =>
  Math.min(...Array.from({ length: samples }, () => spentMs(run, times)))

export type Growth = { isLinear: boolean; figures: string }

/**
 * `prepare` makes the call for a text of that many characters, so that making the text is not measured. A fast call is
 * repeated until the clock can measure it.
 */
export function growthOf(prepare: (chars: number) => () => void): Growth {
  const small = prepare(5_000)
  const large = prepare(20_000)
  const first = spentMs(large)
  if (first < linearTimeLimits.leastMs || bestOf(3, large, 1) < linearTimeLimits.leastMs) return { isLinear: true, figures: 'negligible' }
  if (looksLinear(small, large, first)) return { isLinear: true, figures: 'linear at once' }
  const mayStep = spentMs(large) < linearTimeLimits.stepMs
  if (mayStep && looksLinear(large, prepare(80_000), Infinity)) return { isLinear: true, figures: 'linear after a step' }
  const [at5, at20] = measured(small, large)
  if (at20 <= at5 * linearTimeLimits.ratio) return { isLinear: true, figures: 'linear' }
  const figures = `${at5.toFixed(4)} ms at 5 kB, ${bestOf(5, prepare(10_000), 1).toFixed(4)} at 10, ${at20.toFixed(4)} at 20`
  if (!mayStep) return { isLinear: false, figures }
  const [, at80] = measured(large, prepare(80_000))
  const isStep = at80 <= at20 * linearTimeLimits.ratio
  return { isLinear: isStep, figures: isStep ? 'linear after a step' : `${figures}, ${at80.toFixed(4)} at 80` }
}

/** Passes only what is clearly linear: most cases, in a short time. `first` is the time of a call of the large text. */
function looksLinear(small: () => void, large: () => void, first: number): boolean {
  small()
  const times = repeatsFor(small, firstLookMs)
  let [low, high] = [bestOf(2, small, times), first]
  for (let look = 0; look < 4; look += 1) {
    if (high <= low * (linearTimeLimits.ratio - 1)) return true
    if (isLong(first)) return false
    high = Math.min(high, spentMs(large, times))
    // Afterwards: the large one may have been compiled while it ran, and a slower small one would hide its growth.
    low = Math.min(low, bestOf(3, small, times))
  }
  return high <= low * (linearTimeLimits.ratio - 1)
}

/** Where one call is this long, five of them would tell nothing more. */
const isLong = (ms: number): boolean => Number.isFinite(ms) && ms > 200

/**
 * Best of five of both, and of further rounds while the ratio is exceeded: garbage collection, compilation and a busy machine
 * count as well, and what is only that is gone in another round.
 */
function measured(small: () => void, large: () => void): [small: number, large: number] {
  const isSlow = isLong(spentMs(large))
  const times = repeatsFor(small, enoughMs)
  let [low, high] = [Infinity, Infinity]
  for (let round = 0; round < 5; round += 1) {
    low = Math.min(low, bestOf(5, small, times))
    high = Math.min(high, isSlow ? spentMs(large) : bestOf(5, large, times))
    const ratio = high / low
    if (ratio <= linearTimeLimits.ratio || ratio > linearTimeLimits.ratio * 2) break
  }
  return [low, high]
}

/** An exponential expression would never return from 5 kB; it shows itself long before. */
export function explodes(prepare: (chars: number) => () => void): boolean {
  return [14, 18, 22, 26, 64, 128, 512, 2_048].some((chars) => spentMs(prepare(chars)) > (chars < 100 ? 20 : 400))
}
