/** Doubles with every failure, up to a bound. The first failure is number 0. */
export const backOffMs = (limits: { firstRetryMs: number; longestRetryMs: number }, failures: number): number =>
  Math.min(limits.firstRetryMs * 2 ** failures, limits.longestRetryMs)
