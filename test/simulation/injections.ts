import { ParleyError } from '../../src/errors.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Chance } from './chance.ts'

/** Faults around Parley in a run, besides crashes. Each kind must occur, or a run proves nothing about it. */
export const injectionKinds = [
  'lostHint',
  'lateHint',
  'refusedCommit',
  'slowCommit',
  'clockForward',
  'clockBack',
  'failureAfterSpending',
] as const

export type InjectionKind = (typeof injectionKinds)[number]

export type Injected = Record<InjectionKind, number>

export const noInjections = (): Injected => ({
  lostHint: 0,
  lateHint: 0,
  refusedCommit: 0,
  slowCommit: 0,
  clockForward: 0,
  clockBack: 0,
  failureAfterSpending: 0,
})

export function addInjections(total: Injected, more: Injected): void {
  for (const kind of injectionKinds) total[kind] += more[kind]
}

/** The kinds that never occurred. */
export const missingInjections = (total: Injected): InjectionKind[] => injectionKinds.filter((kind) => total[kind] === 0)

export const injectionLimits = {
  /** Longer than the lease of a turn is possible, so that a commit can come after the work was given to another. */
  slowCommitMs: 35_000,
  lateHintMs: 3_000,
  clockStepMs: 10 * 60_000,
} as const

type Parts = { chance: Chance; clock: Clock; injected: Injected; isCalm: () => boolean }

/** A store whose hints get lost or come late and whose commits are refused or slow, until `isCalm`. */
export function unreliableStore(inside: Store, { chance, clock, injected, isCalm }: Parts): Store {
  const hear =
    <Args extends unknown[]>(listen: (...args: Args) => void): ((...args: Args) => void) =>
    (...args) => {
      if (isCalm()) return listen(...args)
      if (chance.happens(0.15)) {
        injected.lostHint += 1
        return
      }
      if (!chance.happens(0.15)) return listen(...args)
      injected.lateHint += 1
      clock.after(chance.below(injectionLimits.lateHintMs), () => listen(...args))
    }

  return {
    ...inside,
    async commit(units) {
      if (!isCalm() && chance.happens(0.02)) {
        injected.refusedCommit += 1
        throw new ParleyError('store_unwritable', { why: 'the disk is full (simulated)' })
      }
      if (!isCalm() && chance.happens(0.04)) {
        injected.slowCommit += 1
        const delayMs = chance.below(chance.happens(0.1) ? injectionLimits.slowCommitMs : 1_000)
        await new Promise<void>((resolve) => clock.after(delayMs, resolve))
      }
      return inside.commit(units)
    },
    hints: {
      onStream: (listen) => inside.hints.onStream(hear(listen)),
      onWork: (listen) => inside.hints.onWork(hear(listen)),
      onDelta: (listen) => inside.hints.onDelta(hear(listen)),
      publish: (delta) => inside.hints.publish(delta),
    },
  }
}

/** The time of day, which may be set; timers are not affected, as on a real machine. */
export type SteppingClock = Clock & { step(byMs: number): void }

export function steppingClock(inside: Clock): SteppingClock {
  let aheadMs = 0
  return {
    now: () => inside.now() + aheadMs,
    after: (delayMs, fire) => inside.after(delayMs, fire),
    step(byMs) {
      aheadMs += byMs
    },
  }
}
