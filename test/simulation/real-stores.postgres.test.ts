import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startPostgres } from '../fixtures/postgres-server.ts'
import { type MakeGround, postgresGround, sqliteGround } from './grounds.ts'
import { simulate } from './simulate.ts'

/** Few seeds: every call goes to a disk or a server. `npm run sim` has the many, in memory. */
const seeds = 6

async function playAll(t: TestContext, ground: MakeGround): Promise<void> {
  const totals = { events: 0, crashes: 0 }
  for (let seed = 1; seed <= seeds; seed += 1) {
    const run = await simulate(seed, undefined, ground)
    assert.deepEqual(run.violations, [], `seed ${seed}`)
    totals.events += run.events
    totals.crashes += run.crashes
  }
  assert.ok(totals.events > 100 && totals.crashes > 0, 'too little happened to say anything')
  t.diagnostic(JSON.stringify(totals))
}

test('simulation on SQLite: every rule holds in every run', { timeout: 300_000 }, (t) => playAll(t, sqliteGround))

test('simulation on PostgreSQL: every rule holds in every run', { timeout: 300_000 }, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  await playAll(t, postgresGround(await server.database()))
})
