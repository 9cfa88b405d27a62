import type { Clock } from '../../ports/clock.ts'

/** A bucket that fills by time. False when it has less than `amount` left. */
export function bucket(clock: Clock, perSecond: number, most: number): (amount: number) => boolean {
  let tokens = most
  let at = clock.now()
  return (amount) => {
    const now = clock.now()
    tokens = Math.min(most, tokens + (Math.max(0, now - at) / 1000) * perSecond)
    at = now
    if (tokens < amount) return false
    tokens -= amount
    return true
  }
}

const remembered = 10_000

/** One bucket for each caller; the least recently seen are forgotten first. */
export function buckets(clock: Clock, perSecond: number, most: number): (caller: string) => boolean {
  const all = new Map<string, (amount: number) => boolean>()
  return (caller) => {
    const take = all.get(caller) ?? bucket(clock, perSecond, most)
    all.delete(caller)
    all.set(caller, take)
    for (const oldest of all.keys()) {
      if (all.size <= remembered) break
      all.delete(oldest)
    }
    return take(1)
  }
}
