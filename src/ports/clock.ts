/** Time, as something that can be handed in. Production uses the machine's, tests a simulated one. */
export type Clock = {
  now(): number
  /** Calls back once, no earlier than `delayMs` from now. Returns a function that takes it back. */
  after(delayMs: number, fire: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fire) {
    // Node fires a longer timeout at once; the caller asks again for a far due time.
    const timer = setTimeout(fire, Math.min(Math.max(delayMs, 0), 2_147_483_647))
    return () => clearTimeout(timer)
  },
}

/** Resolves after `delayMs`, or at once when the signal is aborted. */
export function pauseFor(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(delayMs, end)
    signal?.addEventListener('abort', end)
  })
}
