import type { TapVerdict } from '../../ports/channel-kind.ts'
import type { Clock } from '../../ports/clock.ts'

/** Verdicts on taps for HTTP responses that wait for them. Nothing depends on it: a verdict without a response is shown by a request. */
export type TapVerdicts = {
  expect(channel: string, tap: string): ExpectedVerdict
  /** True when a response shows it. */
  give(channel: string, tap: string, verdict: TapVerdict): boolean
}

export type ExpectedVerdict = {
  /** Undefined when there is none in time. */
  within(waitMs: number): Promise<TapVerdict | undefined>
  cancel(): void
}

export function tapVerdicts(clock: Clock): TapVerdicts {
  const waiting = new Map<string, (verdict: TapVerdict | undefined) => void>()
  return {
    expect(channel, tap) {
      const key = `${channel}/${tap}`
      const { promise, resolve } = Promise.withResolvers<TapVerdict | undefined>()
      const end = (verdict: TapVerdict | undefined): void => {
        if (waiting.get(key) === end) waiting.delete(key)
        resolve(verdict)
      }
      // The first call keeps waiting when the platform repeats it.
      if (!waiting.has(key)) waiting.set(key, end)
      return {
        async within(waitMs) {
          const cancel = clock.after(Math.max(0, waitMs), () => end(undefined))
          try {
            return await promise
          } finally {
            cancel()
          }
        },
        cancel: () => end(undefined),
      }
    },
    give(channel, tap, verdict) {
      const end = waiting.get(`${channel}/${tap}`)
      end?.(verdict)
      return end !== undefined
    },
  }
}
