import { setImmediate as loopTurn } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

export type SimulatedClock = Clock & {
  /** Lets `ms` pass: what is due is called in order, each at its own time, and what it sets in motion runs before the next. */
  advance(ms: number): Promise<void>
  /** Sets the time back, as a person or a time server does. What waits still waits for as long as before. */
  stepBack(ms: number): void
  /** When the next callback is due, null if none waits. */
  next(): number | null
}

/** Code under test hands work on through promises and loop turns; this many cover the longest chain we have. */
const settleTurns = 20

async function settle(): Promise<void> {
  for (let turn = 0; turn < settleTurns; turn++) await loopTurn()
}

/** Time that stands still until it is advanced. */
export function simulatedClock(start: number = Date.UTC(2026, 0, 1)): SimulatedClock {
  let now = start
  /** In order of due time; equal times in order of asking. */
  const waiting: { at: number; fire: () => void }[] = []

  return {
    now: () => now,
    after(delayMs, fire) {
      const entry = { at: now + Math.max(delayMs, 0), fire }
      const later = waiting.findIndex((other) => other.at > entry.at)
      waiting.splice(later === -1 ? waiting.length : later, 0, entry)
      return () => {
        const index = waiting.indexOf(entry)
        if (index !== -1) waiting.splice(index, 1)
      }
    },
    stepBack(ms) {
      now -= ms
      for (const entry of waiting) entry.at -= ms
    },
    next: () => waiting[0]?.at ?? null,
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let first = waiting[0]; first && first.at <= end; first = waiting[0]) {
        waiting.shift()
        now = Math.max(now, first.at)
        first.fire()
        await settle()
      }
      now = Math.max(now, end)
      await settle()
    },
  }
}
