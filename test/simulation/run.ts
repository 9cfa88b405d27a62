import { addInjections, missingInjections, noInjections } from './injections.ts'
import { startPostgres } from '../fixtures/postgres-server.ts'
import { memoryGround, postgresGround, sqliteGround } from './grounds.ts'
import { simulate } from './simulate.ts'
import { simulateWorlds } from './worlds/simulate-worlds.ts'

// node test/simulation/run.ts [seeds] [first] [memory|sqlite|postgres|worlds]: prints one line of JSON with the totals, and every
// violation with its seed. `memory` also plays worlds, one seed in ten; `worlds` plays worlds alone.
const seeds = Number(process.argv[2] ?? 1_000)
const first = Number(process.argv[3] ?? 1)
const kind = process.argv[4] ?? 'memory'
const startedAt = performance.now()
const seconds = (): number => Math.round((performance.now() - startedAt) / 1000)

function print(seed: number, violations: readonly string[]): void {
  for (const violation of violations) console.error(`seed ${seed}: ${violation}`)
}

async function playDialogs(): Promise<boolean> {
  const postgres = kind === 'postgres' ? await startPostgres() : null
  const ground = postgres ? postgresGround(await postgres.database()) : kind === 'sqlite' ? sqliteGround : memoryGround
  const totals = { seeds: 0, events: 0, dialogs: 0, tellasks: 0, crashes: 0, violations: 0 }
  const injected = noInjections()
  for (let seed = first; seed < first + seeds; seed += 1) {
    const run = await simulate(seed, undefined, ground)
    totals.seeds += 1
    totals.events += run.events
    totals.dialogs += run.dialogs
    totals.tellasks += run.tellasks
    totals.crashes += run.crashes
    addInjections(injected, run.injected)
    totals.violations += run.violations.length
    print(seed, run.violations)
    if (totals.seeds % 500 === 0) console.error(`${totals.seeds} of ${seeds} seeds, ${totals.violations} violations`)
  }
  await postgres?.stop()
  console.log(JSON.stringify({ store: kind, ...totals, injected, seconds: seconds() }))
  const missing = missingInjections(injected)
  if (missing.length > 0) console.error(`never injected: ${missing.join(', ')}`)
  return totals.seeds > 0 && totals.tellasks > 0 && totals.violations === 0 && missing.length === 0
}

async function playWorlds(every: number): Promise<boolean> {
  const totals = { seeds: 0, events: 0, requests: 0, turns: 0, reports: 0, crashes: 0, violations: 0 }
  for (let seed = first; seed < first + seeds; seed += every) {
    const run = await simulateWorlds(seed)
    totals.seeds += 1
    totals.events += run.events
    totals.requests += run.requests
    totals.turns += run.turns
    totals.reports += run.reports
    totals.crashes += run.crashes
    totals.violations += run.violations.length
    print(seed, run.violations)
  }
  console.log(JSON.stringify({ worlds: true, ...totals, seconds: seconds() }))
  return totals.seeds > 0 && totals.requests > 0 && totals.violations === 0
}

const isGood = kind === 'worlds' || (await playDialogs())
const isGoodToo = (kind !== 'worlds' && kind !== 'memory') || (await playWorlds(kind === 'worlds' ? 1 : 10))
if (!isGood || !isGoodToo) process.exitCode = 1
