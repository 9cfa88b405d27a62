/** Time, as something that can be handed in. Production uses the machine's, tests a simulated one. */
export type Clock = {
  now(): number
  /** Calls back once, no earlier than `delayMs` from now. Returns a function that takes it back. */
  after(delayMs: number, fire: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fire) {
    // Node fires a longer timeout at once; a far due time is asked for again by whoever waits.
    const timer = setTimeout(fire, Math.min(Math.max(delayMs, 0), 2_147_483_647))
    return () => clearTimeout(timer)
  },
}
