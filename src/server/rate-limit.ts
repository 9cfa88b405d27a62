import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

export type RateLimit = { perSecond: number; burst: number }

const callersRemembered = 10_000

/** A bucket for each caller that fills by time. Throws when it is empty. The least recently seen callers are forgotten first. */
export function rateLimiter({ perSecond, burst }: RateLimit, clock: Clock): (caller: string) => void {
  const buckets = new Map<string, { left: number; at: number }>()
  return (caller) => {
    const now = clock.now()
    const bucket = buckets.get(caller) ?? { left: burst, at: now }
    buckets.delete(caller)
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    buckets.set(caller, bucket)
    for (const oldest of buckets.keys()) {
      if (buckets.size <= callersRemembered) break
      buckets.delete(oldest)
    }
    if (bucket.left < 1) {
      const waitMs = Math.ceil(((1 - bucket.left) / perSecond) * 1000)
      throw new ParleyError(
        'too_many_requests',
        { seconds: Math.max(1, Math.ceil(waitMs / 1000)) },
        { retryable: true, retryAfterMs: waitMs },
      )
    }
    bucket.left -= 1
  }
}
