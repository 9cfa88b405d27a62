import { addInjections, missingInjections, noInjections } from './injections.ts'
import { startPostgres } from '../fixtures/postgres-server.ts'
import { memoryGround, postgresGround, sqliteGround } from './grounds.ts'
import { simulate } from './simulate.ts'

// node test/simulation/run.ts [seeds] [first] [memory|sqlite|postgres]: prints one line of JSON with the totals, and every violation with its seed.
const seeds = Number(process.argv[2] ?? 1_000)
const first = Number(process.argv[3] ?? 1)
const kind = process.argv[4] ?? 'memory'
const postgres = kind === 'postgres' ? await startPostgres() : null
const ground = postgres ? postgresGround(await postgres.database()) : kind === 'sqlite' ? sqliteGround : memoryGround
const totals = { seeds: 0, events: 0, dialogs: 0, tellasks: 0, crashes: 0, violations: 0 }
const injected = noInjections()
const startedAt = performance.now()
for (let seed = first; seed < first + seeds; seed += 1) {
  const run = await simulate(seed, undefined, ground)
  totals.seeds += 1
  totals.events += run.events
  totals.dialogs += run.dialogs
  totals.tellasks += run.tellasks
  totals.crashes += run.crashes
  addInjections(injected, run.injected)
  totals.violations += run.violations.length
  for (const violation of run.violations) console.error(`seed ${seed}: ${violation}`)
  if (totals.seeds % 500 === 0) console.error(`${totals.seeds} of ${seeds} seeds, ${totals.violations} violations`)
}
await postgres?.stop()
console.log(JSON.stringify({ store: kind, ...totals, injected, seconds: Math.round((performance.now() - startedAt) / 1000) }))
const missing = missingInjections(injected)
if (missing.length > 0) console.error(`never injected: ${missing.join(', ')}`)
if (totals.seeds === 0 || totals.tellasks === 0 || totals.violations > 0 || missing.length > 0) process.exitCode = 1
