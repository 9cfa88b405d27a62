/** What both sides of the bench of builds agree on. */

/** How long the agent thinks before it says something in a step. */
export const stepMs = 60

/** Finer than a millisecond, and the same in every process of this machine. */
const nowMs = (): number => performance.timeOrigin + performance.now()

export const stamp = (): string => `Noted at ${nowMs().toFixed(3)}.`

/** How long ago that was said; null for other words. */
export function sinceMs(text: string): number | null {
  const at = /Noted at (\d+\.\d+)\./.exec(text)?.[1]
  return at === undefined ? null : nowMs() - Number(at)
}
