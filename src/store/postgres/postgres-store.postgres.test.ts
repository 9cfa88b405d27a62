import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { startPostgres, type PostgresServer } from '../../../test/fixtures/postgres-server.ts'
import type { Store } from '../../ports/store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { storeContract, type StoreSubject } from '../../testing/store-contract.ts'
import { assertSameAsMemory } from '../test/same-as-memory.ts'
import { assertFiles } from '../test/assert-files.ts'
import { openPostgres, postgresStore, type PostgresOptions } from './postgres-store.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.stop())

function opener(t: TestContext): (more?: Partial<PostgresOptions>) => Promise<Store> {
  const database = server.database()
  const stores: Store[] = []
  t.after(() => Promise.all(stores.map((store) => store.close())))
  return async (more) => {
    const store = await postgresStore({ url: await database, ...more })
    stores.push(store)
    return store
  }
}

function postgresSubject(t: TestContext): StoreSubject {
  const clock = simulatedClock()
  const open = opener(t)
  return {
    open: () => open({ clock, followsClock: true }),
    kill: (store) => store.close(),
    now: clock.now,
    advance: clock.advance,
    stepBack: clock.stepBack,
  }
}

for (const { id, behaviour, run } of storeContract) test(`${id}: ${behaviour}`, (t) => run(postgresSubject(t)))

test('ten processes that start at once migrate once', async (t) => {
  const open = opener(t)
  const stores = await Promise.all(Array.from({ length: 10 }, () => open()))
  assert.equal(new Set(stores.map(({ owner }) => owner)).size, 10)
})

test('any sequence of calls gives the same answers from PostgreSQL as from memory', async () => {
  const url = await server.database()
  await assertSameAsMemory(
    6,
    (round) => (owner, clock) => postgresStore({ url, schema: `round_${round}`, owner, clock, followsClock: true }),
  )
})

test('files are read as they were written, listed in pages and removed', async () => {
  const { store, files } = await openPostgres({ url: await server.database() })
  await assertFiles(files)
  assert.equal(await files.read('file_\0'), null)
  await store.close()
})
