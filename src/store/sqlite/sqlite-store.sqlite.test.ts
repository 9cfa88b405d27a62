import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import type { Store } from '../../ports/store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { storeContract, type StoreSubject } from '../../testing/store-contract.ts'
import { sqliteStore } from './sqlite-store.ts'

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data', 'parley.db')
}

function opener(t: TestContext): { path: string; open: (more?: Partial<Parameters<typeof sqliteStore>[0]>) => Store } {
  const path = freshFile(t)
  const stores: Store[] = []
  t.after(() => Promise.all(stores.map((store) => store.close())))
  return {
    path,
    open(more) {
      const store = sqliteStore({ path, ...more })
      stores.push(store)
      return store
    },
  }
}

function sqliteSubject(t: TestContext): StoreSubject {
  const clock = simulatedClock()
  const { open } = opener(t)
  return {
    open: async () => open({ clock }),
    // Real deaths of real processes are in sqlite-processes.sqlite.test.ts.
    kill: (store) => store.close(),
    now: clock.now,
    advance: clock.advance,
    stepBack: clock.stepBack,
  }
}

for (const { id, behaviour, run } of storeContract) test(`${id}: ${behaviour}`, (t) => run(sqliteSubject(t)))

const unitFor = (stream: string, expect: number, type = 'word.said') => ({
  append: [{ stream, expect, events: [{ type, at: 1, data: {} }] }],
})

test('the folder is created, and other users of the machine cannot read the data', async (t) => {
  const { path, open } = opener(t)
  const store = open()
  await store.commit([unitFor('s', 0)])
  for (const name of readdirSync(join(path, '..'))) assert.equal(statSync(join(path, '..', name)).mode & 0o077, 0, name)
  assert.equal(statSync(join(path, '..')).mode & 0o077, 0)
})

test('closing leaves the data file, its marker and nothing else', async (t) => {
  const { path, open } = opener(t)
  const store = open()
  await store.commit([unitFor('s', 0)])
  await store.close()
  assert.deepEqual(readdirSync(join(path, '..')), ['parley.db', 'parley.db-marker'])
})

test('a fault in the middle of a commit undoes the whole commit, and the store goes on', async (t) => {
  const { path, open } = opener(t)
  const store = open()
  await store.commit([unitFor('s', 0)])
  const saboteur = new DatabaseSync(path)
  saboteur.exec(
    "CREATE TRIGGER sabotage BEFORE INSERT ON event WHEN new.type = 'bad' BEGIN SELECT raise(ABORT, 'the disk is on fire'); END",
  )
  saboteur.close()
  let hints = 0
  store.hints.onStream(() => hints++)
  await assert.rejects(store.commit([unitFor('s', 1), { ...unitFor('t', 0, 'bad'), wake: [{ kind: 'turn', key: 't', at: 0 }] }]), /on fire/)
  assert.equal(await store.head('s'), 1)
  assert.equal(await store.nextDue('turn'), null)
  assert.equal(hints, 0)
  assert.equal((await store.commit([unitFor('s', 1)]))[0]?.ok, true)
})

test('a claim with nothing due writes nothing', async (t) => {
  const { path, open } = opener(t)
  const store = open()
  await store.commit([{ wake: [{ kind: 'turn', key: 'later', at: Date.now() + 60_000 }] }])
  const watcher = new DatabaseSync(path)
  t.after(() => watcher.close())
  const version = (): unknown => watcher.prepare('PRAGMA data_version').get()?.['data_version']
  const before = version()
  assert.deepEqual(await store.claim('turn', 5, 1000), [])
  assert.equal(version(), before)
})

test('two stores under one name are refused while the first lives', async (t) => {
  const { open } = opener(t)
  const first = open({ owner: 'same' })
  assert.throws(() => open({ owner: 'same' }), { code: 'store_locked' })
  await first.close()
  assert.equal(open({ owner: 'same' }).owner, 'same')
})

test('files of processes that died without work are cleared away at the next start', async (t) => {
  const { path, open } = opener(t)
  mkdirSync(join(path, '..'), { recursive: true })
  const staleLock = `${path}-owner-long%20gone.lock`
  new DatabaseSync(staleLock).close()
  const living = open()
  assert.equal(existsSync(staleLock), false)
  assert.equal(existsSync(`${path}-owner-${living.owner}.lock`), true)
  open()
  assert.equal(existsSync(`${path}-owner-${living.owner}.lock`), true)
})

test('a folder that cannot be made is said to be unwritable', (t) => {
  const { path, open } = opener(t)
  writeFileSync(join(path, '..'), 'a file where the folder should be')
  assert.throws(() => open(), { code: 'store_unwritable' })
})

test('a path that is a folder is said to be unwritable', (t) => {
  const { path, open } = opener(t)
  mkdirSync(path, { recursive: true })
  assert.throws(() => open(), { code: 'store_unwritable' })
})
