export const linearTimeLimits = {
  /** CPU time at 20 kB divided by that at 5 kB: linear is 4, quadratic 16. */
  ratio: 6,
  /**
   * A call that takes less than this at 20 kB is linear: the cheapest quadratic scan of 20 kB takes five times as long.
   * Below it, collecting garbage weighs more than the call.
   */
  floorMs: 8,
} as const

/** Repeats of a call are at least as long as this together, so that the clock can tell them apart. */
const enoughMs = 2

/** Where one call is this long, five of them would tell nothing more. */
const longMs = 200

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const onceMs = (run: () => void): number => {
  const start = cpuMs()
  run()
  return cpuMs() - start
}

/** CPU time of one call, best of five. */
export function measureCpuTime(run: () => void): number {
  let times = 1
  let best = Infinity
  for (let round = 0; round < 5;) {
    const spent = onceMs(() => {
      for (let count = 0; count < times; count += 1) run()
    })
    if (spent < enoughMs) times = Math.ceil(times * Math.min(100, Math.max(2, (enoughMs * 1.5) / Math.max(spent, 0.01))))
    else {
      best = Math.min(best, spent / times)
      round += 1
    }
  }
  return best
}

export type Growth = { isLinear: boolean; figures: string }

/** `prepare` makes the call for a text of that many characters, so that making the text is not measured. */
export function measureGrowth(prepare: (chars: number) => () => void): Growth {
  const large = prepare(20_000)
  const first = onceMs(large)
  if (first < linearTimeLimits.floorMs) return { isLinear: true, figures: 'below the floor' }
  const small = prepare(5_000)
  // Most cases are told by a few calls; the others are measured. The first call of a size may be slow for another reason.
  const mostMs = Math.min(onceMs(small), onceMs(small), onceMs(small)) * (linearTimeLimits.ratio - 1)
  if (first <= mostMs || (first < longMs && Math.min(onceMs(large), onceMs(large)) <= mostMs))
    return { isLinear: true, figures: 'linear at once' }
  const middle = prepare(10_000)
  let [at5, at10, at20] = [Infinity, Infinity, Infinity]
  // Garbage collection, compilation and a busy machine count as well; what is only that is gone in another round.
  for (let round = 0; round < 16; round += 1) {
    at5 = Math.min(at5, measureCpuTime(small))
    at10 = Math.min(at10, measureCpuTime(middle))
    at20 = Math.min(at20, first > longMs ? first : measureCpuTime(large))
    if (at20 <= at5 * linearTimeLimits.ratio || at20 < linearTimeLimits.floorMs) return { isLinear: true, figures: 'linear' }
    if (at20 > at5 * linearTimeLimits.ratio * 2) break
  }
  return { isLinear: false, figures: `${at5.toFixed(2)}, ${at10.toFixed(2)}, ${at20.toFixed(2)} ms at 5, 10, 20 kB` }
}

/** An exponential expression would never return from 5 kB; it shows itself long before. */
export function explodes(prepare: (chars: number) => () => void): boolean {
  return [14, 18, 22, 26, 64, 128, 512, 2_048].some((chars) => onceMs(prepare(chars)) > (chars < 100 ? 20 : 400))
}
