import { ParleyError, errorMessage } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

/** `/readyz` is open to everyone and writes to the disk, so all callers of a second share one check. */
export const readinessLimits = { checkEveryMs: 1_000 } as const

/** Rejects with an error of status 503 when `check` fails. */
export function readiness(check: () => Promise<void>, clock: Clock): () => Promise<void> {
  let checkedAt = -Infinity
  let outcome = Promise.resolve()
  return () => {
    const now = clock.now()
    if (Math.abs(now - checkedAt) < readinessLimits.checkEveryMs) return outcome
    checkedAt = now
    outcome = check().catch((error: unknown) => {
      if (error instanceof ParleyError && error.status === 503) throw error
      throw new ParleyError('store_unwritable', { why: errorMessage(error) }, { cause: error })
    })
    return outcome
  }
}
