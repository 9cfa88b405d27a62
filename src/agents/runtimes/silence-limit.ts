import type { Clock } from '../../ports/clock.ts'

/** Ends a request when nothing came for too long, or when the caller does. */
export type SilenceLimit = {
  readonly signal: AbortSignal
  /** The seconds that passed in silence, once they did. */
  readonly ranOut: number | null
  /** Something was heard; the next must come within this time. */
  expect(seconds: number): void
  end(): void
}

export function silenceLimit(clock: Clock, outer: AbortSignal): SilenceLimit {
  const controller = new AbortController()
  const follow = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', follow, { once: true })
  let ranOut: number | null = null
  let allowed = 0
  let heardAt = 0
  let takeBack: (() => void) | undefined

  // One timer for the whole reply: setting one for each token was a visible part of a turn's CPU time.
  const watch = (delayMs: number): void => {
    takeBack = clock.after(delayMs, () => {
      const left = heardAt + allowed * 1000 - clock.now()
      if (left > 0) return watch(left)
      ranOut = allowed
      controller.abort()
    })
  }
  return {
    signal: controller.signal,
    get ranOut() {
      return ranOut
    },
    expect(seconds) {
      const sooner = seconds < allowed
      allowed = seconds
      heardAt = clock.now()
      if (sooner) takeBack?.()
      if (sooner || takeBack === undefined) watch(seconds * 1000)
    },
    end() {
      takeBack?.()
      outer.removeEventListener('abort', follow)
    },
  }
}
