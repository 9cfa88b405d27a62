import type { Clock } from '../../ports/clock.ts'

/** Ends a request when nothing came for too long, or when the caller does. */
export type SilenceLimit = {
  readonly signal: AbortSignal
  /** The seconds that passed in silence, once they did. */
  readonly ranOut: number | null
  /** Output arrived; the next must arrive within this time. */
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
  let cancelTimer: (() => void) | undefined

  // One timer for the whole reply: setting one for each token was a visible part of a turn's CPU time.
  const watch = (delayMs: number): void => {
    cancelTimer = clock.after(delayMs, () => {
      const remainingMs = heardAt + allowed * 1000 - clock.now()
      if (remainingMs > 0) return watch(remainingMs)
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
      if (sooner) cancelTimer?.()
      if (sooner || cancelTimer === undefined) watch(seconds * 1000)
    },
    end() {
      cancelTimer?.()
      outer.removeEventListener('abort', follow)
    },
  }
}
