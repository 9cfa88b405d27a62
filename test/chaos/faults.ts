import type { Chance } from '../simulation/chance.ts'
import type { FleetProcess } from '../fixtures/fleet.ts'
import type { PostgresServer } from '../fixtures/postgres-server.ts'
import type { FaultyLine } from './faulty-line.ts'
import type { Retirement } from './retirement.ts'

export const faultKinds = [
  'kill worker',
  'kill web',
  'pause worker',
  'pause web',
  'pause worker past its lease',
  'PostgreSQL fast restart',
  'PostgreSQL immediate restart',
  'cut connections',
  'lose answers',
  'clock jump',
  'archive full',
  'kill retirement',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** The frequency of each fault, relative to the others. The long pause takes a worker out for half a minute. */
const weights: Record<FaultKind, number> = {
  'kill worker': 4,
  'kill web': 1.5,
  'pause worker': 3,
  'pause web': 2,
  'pause worker past its lease': 0.4,
  'PostgreSQL fast restart': 1.5,
  'PostgreSQL immediate restart': 1.5,
  'cut connections': 3,
  'lose answers': 3,
  'clock jump': 3,
  'archive full': 1.5,
  'kill retirement': 1,
}

/** `end` is what undoes it, for what lasts. */
export type Injected = { kind: FaultKind; about: string; end?: Promise<void> }

export type Slot = { readonly name: string; readonly only: 'web' | 'worker'; process: FleetProcess | null; busy: boolean; clock: string }

export type Arena = {
  chance: Chance
  postgres: PostgresServer
  line: FaultyLine
  slots: Slot[]
  retirement: Retirement
  restedMs: number
  /** Dialogs that have rested for so long and are in the store. */
  countRested(): Promise<number>
  /** Starts the process of a slot again. */
  restart(slot: Slot): Promise<void>
  setClock(slot: Slot, aheadMs: number): void
  pause(ms: number): Promise<void>
}

export function chooseKind(chance: Chance, allowed: readonly FaultKind[]): FaultKind {
  const total = allowed.reduce((sum, kind) => sum + weights[kind], 0)
  let rest = chance.next() * total
  for (const kind of allowed) {
    rest -= weights[kind]
    if (rest < 0) return kind
  }
  return allowed[0] ?? 'kill worker'
}

const longestJumpMs = 600_000

/** A dialog is retired after this rest: longer than the clocks of the fleet can be wrong, and than a person is silent. */
export const chooseRest = (kinds: readonly FaultKind[]): number => (kinds.includes('clock jump') ? longestJumpMs : 0) + 60_000

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Null if it cannot happen now, such as a kill while every such process is down. */
export async function inject(kind: FaultKind, arena: Arena): Promise<Injected | null> {
  const { chance, slots, postgres, line } = arena
  const free = (only: Slot['only']): Slot | undefined => {
    const ready = slots.filter((slot) => slot.only === only && !slot.busy && slot.process !== null)
    return ready.length === 0 ? undefined : chance.one(ready)
  }
  const hold = (slot: Slot, work: () => Promise<void>): Promise<void> => {
    slot.busy = true
    return work().finally(() => (slot.busy = false))
  }
  switch (kind) {
    case 'kill worker':
    case 'kill web': {
      const slot = free(kind === 'kill web' ? 'web' : 'worker')
      if (!slot) return null
      const downMs = chance.below(1_500)
      const end = hold(slot, async () => {
        await slot.process?.end('SIGKILL')
        slot.process = null
        await arena.pause(downMs)
        await arena.restart(slot)
      })
      return { kind, about: `${slot.name}, down for ${seconds(downMs)}`, end }
    }
    case 'pause worker':
    case 'pause web':
    case 'pause worker past its lease': {
      const slot = free(kind === 'pause web' ? 'web' : 'worker')
      if (!slot) return null
      const pausedMs = kind === 'pause worker past its lease' ? 32_000 + chance.below(4_000) : 200 + chance.below(3_500)
      const end = hold(slot, async () => {
        slot.process?.child.kill('SIGSTOP')
        await arena.pause(pausedMs)
        slot.process?.child.kill('SIGCONT')
      })
      return { kind, about: `${slot.name} for ${seconds(pausedMs)}`, end }
    }
    case 'PostgreSQL fast restart':
    case 'PostgreSQL immediate restart':
      await postgres.restart(kind === 'PostgreSQL fast restart' ? 'fast' : 'immediate')
      return { kind, about: 'answers again' }
    case 'cut connections':
      return { kind, about: `${line.cut()} connections` }
    case 'lose answers':
      return { kind, about: `${line.loseAnswers()} connections` }
    case 'clock jump': {
      const slot = chance.one(slots)
      const mostSeconds = longestJumpMs / 1_000
      const aheadMs = (chance.below(2 * mostSeconds) - mostSeconds) * 1_000
      arena.setClock(slot, aheadMs)
      return { kind, about: `${slot.name} is ${Math.abs(aheadMs / 1_000)} s ${aheadMs < 0 ? 'behind' : 'ahead'}` }
    }
    case 'archive full':
    case 'kill retirement': {
      const { retirement, restedMs } = arena
      const rested = retirement.isRunning ? 0 : await arena.countRested().catch(() => 0)
      if (rested === 0) return null
      if (kind === 'kill retirement') {
        const killAfterMs = 300 + chance.below(4_000)
        return { kind, about: `after ${seconds(killAfterMs)}, ${rested} dialogs`, end: retirement.run(restedMs, { killAfterMs }) }
      }
      const mostKilobytes = chance.below(2)
      // The disk is full for the first run and has space again for the second.
      const end = retirement.run(restedMs, { mostKilobytes }).then(() => retirement.run(restedMs))
      return { kind, about: `at ${mostKilobytes} kB, ${rested} dialogs`, end }
    }
  }
}
