import type { Clock } from '../ports/clock.ts'

export const clockStepLimits = {
  /** A smaller step back is ignored: it delays due work by less than this. */
  ignoredMs: 1_000,
  /** Interval at which commits that are made anyway store the time, so that the next process notices a step too. */
  storedEveryMs: 1_000,
} as const

/**
 * Notices that the system clock was set back, before anything is compared with it.
 *
 * Due times and lease ends are times of the clock. After a step back by an hour, work that was due would wait for an hour
 * more. So the store moves all of them back by the same step: what was due stays due, and what had a minute left still
 * has a minute left.
 */
export class ClockSteps {
  readonly #clock: Clock
  readonly #onStep: (now: number, latest: number) => void
  #latest: number

  /** `onStep` moves the work; `latest` is the highest time seen here before the step. */
  constructor(clock: Clock, onStep: (now: number, latest: number) => void) {
    this.#clock = clock
    this.#latest = clock.now()
    this.#onStep = onStep
  }

  now(): number {
    const now = this.#clock.now()
    if (now >= this.#latest) this.#latest = now
    else if (isStepBack(now, this.#latest)) {
      this.#onStep(now, this.#latest)
      this.#latest = now
    }
    return now
  }
}

export const isStepBack = (now: number, earlier: number): boolean => earlier - now > clockStepLimits.ignoredMs

/** A unit decided before a step and committed after it: its times are ahead of the clock by this much. */
export function aheadMs(unit: { append?: readonly { events: readonly { at: number }[] }[] }, now: number): number {
  let ahead = 0
  for (const { events } of unit.append ?? []) for (const { at } of events) ahead = Math.max(ahead, at - now)
  return ahead > clockStepLimits.ignoredMs ? ahead : 0
}
