import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as loopTurn } from 'node:timers/promises'
import type { Clock } from '../../src/ports/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { SimulatedClock } from '../../src/testing/simulated-clock.ts'

/** The data of one run. Each `open` is a process of its own on it. */
export type Ground = {
  open(): Promise<Store>
  /** Lets simulated time pass. Calls of the store that are under way are finished first. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export type MakeGround = (time: SimulatedClock, clock: Clock) => Promise<Ground>

export const memoryGround: MakeGround = async (time, clock) => {
  const backing = memoryBacking()
  return { open: async () => memoryStore({ clock, backing }), pass: (ms) => time.advance(ms), close: async () => {} }
}

export const sqliteGround: MakeGround = async (time, clock) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-simulation-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  return realGround(time, async () => sqliteStore({ path: join(folder, 'parley.db'), clock }), remove)
}

/** Every run has a schema of its own in the database. */
export function postgresGround(url: string): MakeGround {
  let runs = 0
  return async (time, clock) => {
    const schema = `simulation_${++runs}`
    return realGround(
      time,
      () => postgresStore({ url, schema, clock, followsClock: true }),
      () => {},
    )
  }
}

const settleTurns = 20

function realGround(time: SimulatedClock, open: () => Promise<Store>, remove: () => void): Ground {
  const stores: Store[] = []
  const calls = { open: 0 }
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < settleTurns; quiet += 1) {
      await loopTurn()
      if (calls.open > 0) quiet = 0
    }
  }
  return {
    async open() {
      const store = await open()
      stores.push(store)
      return countCalls(store, calls)
    },
    async pass(ms) {
      const end = time.now() + ms
      await settle()
      do {
        await time.advance(Math.max(0, Math.min(end, time.next() ?? end) - time.now()))
        await settle()
      } while (time.now() < end)
    },
    async close() {
      await Promise.all(stores.map((store) => store.close().catch(() => {})))
      remove()
    },
  }
}

/** Counts the calls that wait for an answer. */
function countCalls(store: Store, calls: { open: number }): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        calls.open += 1
        try {
          return await (value as (...given: unknown[]) => Promise<unknown>).apply(target, args)
        } finally {
          calls.open -= 1
        }
      }
    },
  })
}
