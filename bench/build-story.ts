/** Facts that both sides of the build benchmark share. */

/** Time the agent thinks before it speaks in a step. */
export const stepMs = 60

/** Finer than a millisecond, and the same in every process of this machine. */
const nowMs = (): number => performance.timeOrigin + performance.now()

export const stamp = (): string => `Noted at ${nowMs().toFixed(3)}.`

/** Age of a marked text in milliseconds; null for other texts. */
export function sinceMs(text: string): number | null {
  const at = /Noted at (\d+\.\d+)\./.exec(text)?.[1]
  return at === undefined ? null : nowMs() - Number(at)
}
