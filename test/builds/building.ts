import { after } from 'node:test'
import { checkBuildLog, type LogFinding } from '../../src/builds/rules/check-log.ts'
import type { StoredBuildEvent } from '../../src/builds/rules/build-events.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import type { Store } from '../../src/ports/store.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'

export const owner: Caller = { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test' }

export type Told = { level: string; message: string; fields: Record<string, unknown> }

export type BuildingUnderTest = {
  parley: OpenParley
  store: Store
  /** Notes for the operator. */
  told: Told[]
  /** Looks again and again until it is so. */
  until(build: string, isSo: (status: string) => boolean, withinMs?: number): Promise<string>
  stored(build: string): Promise<StoredBuildEvent[]>
  close(): Promise<void>
}

const opened = new Set<BuildingUnderTest>()

// A test that failed has closed nothing; what it left running would keep the process alive.
after(async () => {
  for (const under of opened) await under.close()
})

export function buildingUnderTest(team: Team, options: { store?: Store; clock?: Clock } = {}): BuildingUnderTest {
  const { clock = systemClock } = options
  const store = options.store ?? memoryStore()
  const told: Told[] = []
  const log: Log = (level, message, fields = {}) => void told.push({ level, message, fields })
  const parley = openParley({ store, team, clock, log })
  const under: BuildingUnderTest = {
    parley,
    store,
    told,
    async until(build, isSo, withinMs = 60_000) {
      const end = Date.now() + withinMs
      for (;;) {
        const { status } = await parley.builds.get(build)
        const last = (await parley.builds.events.read(build)).at(-1)
        if (isSo(status) && isOver(status) === isLast(last?.type)) return status
        if (Date.now() > end)
          throw new Error(`${build} is ${status}:\n${(await makeLog(store, build)).join('\n')}\n${JSON.stringify(told.slice(-5))}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    stored: async (build) => (await store.read(build, 0, 5_000)) as unknown as StoredBuildEvent[],
    async close() {
      opened.delete(under)
      await parley.close(500)
      await store.close()
    },
  }
  opened.add(under)
  return under
}

/** The log of a build as `parley builds check` reads it. */
export const makeLog = async (store: Pick<Store, 'read'>, build: string): Promise<string[]> =>
  (await store.read(build, 0, 5_000)).map(({ seq, at, type, data }) => JSON.stringify({ seq, at, type, payload: data }))

export const isOver = (status: string): boolean => status === 'complete' || status === 'failed' || status === 'cancelled'

/** A build shows how it ended a moment before its last event is there. */
export const isLast = (type: string | undefined): boolean => type === 'session.completed' || type === 'session.failed'

/** Faults in the log of a build, except in output that was dropped for them. */
export const errorsIn = (lines: readonly string[]): LogFinding[] =>
  checkBuildLog(lines.filter((line) => !line.includes('"build.faulted"'))).filter(({ severity }) => severity === 'error')
