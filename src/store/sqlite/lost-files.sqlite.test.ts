import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import type { Store, UnitResult } from '../../ports/store.ts'
import { acceptRestore } from './accept-restore.ts'
import { OpenFile } from './open-file.ts'
import { sqliteStore } from './sqlite-store.ts'

/**
 * Files that are removed, replaced or older than what was acknowledged. This file is also the program of the process
 * that is killed; what it does is named in its environment.
 */
const parts: Record<string, (path: string) => Promise<void>> = {
  /** Stores three events and waits to be killed. */
  async write(path) {
    const store = sqliteStore({ path })
    for (let head = 0; head < 3; head += 1) await say(store, head)
    console.log('written')
    setInterval(() => {}, 1_000)
  },
  /** Opens, writes and closes, again and again. */
  async openAndClose(path) {
    console.log('started')
    for (;;) {
      const store = sqliteStore({ path })
      await say(store, await store.head('s'))
      await store.close()
    }
  },
}

const { PARLEY_TEST_PART, PARLEY_TEST_PATH } = process.env
if (PARLEY_TEST_PART) await parts[PARLEY_TEST_PART]?.(PARLEY_TEST_PATH ?? '')
else defineTests()

async function say(store: Store, expect: number): Promise<UnitResult | undefined> {
  const [result] = await store.commit([{ append: [{ stream: 's', expect, events: [{ type: 'word.said', at: 1, data: { expect } }] }] }])
  return result
}

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lost-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'parley.db')
}

function opened(t: TestContext, path: string): Store {
  const store = sqliteStore({ path })
  t.after(() => store.close())
  return store
}

/** Another process that does its part until it is killed. */
async function killed(t: TestContext, part: string, path: string, afterMs = 0): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...env, PARLEY_TEST_PART: part, PARLEY_TEST_PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(createInterface(child.stdout), 'line')
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  child.kill('SIGKILL')
  await ended
}

const getContent = (path: string): Record<string, string> =>
  Object.fromEntries(readdirSync(dirname(path)).map((name) => [name, readFileSync(join(dirname(path), name)).toString('base64')]))

/** The start fails, names the command, and changes nothing on the disk. */
function assertRefused(path: string, why: RegExp): void {
  const before = getContent(path)
  assert.throws(
    () => sqliteStore({ path }),
    (error: Error & { code: string; hint: string }) => {
      assert.equal(error.code, 'store_incomplete')
      assert.match(error.message, why)
      assert.equal(error.hint.split('on purpose: ')[1], `parley store accept --data ${dirname(path)}`)
      return true
    },
  )
  assert.deepEqual(getContent(path), before)
}

function defineTests(): void {
  for (const [what, remove] of [
    ['removed', (path: string) => rmSync(path)],
    [
      'replaced',
      (path: string) => {
        copyFileSync(path, `${path}.copy`)
        renameSync(`${path}.copy`, path)
      },
    ],
  ] as const) {
    test(`a database that is ${what} while it is open: nothing is acknowledged any more`, async (t) => {
      const path = freshFile(t)
      const store = opened(t, path)
      await say(store, 0)
      await store.commit([{ wake: [{ kind: 'turn', key: 'a', at: 0 }] }])
      let hints = 0
      store.hints.onStream(() => hints++)
      remove(path)
      await assert.rejects(say(store, 1), { code: 'store_gone', details: { file: 'parley.db', what } })
      await assert.rejects(store.claim('turn', 1, 1_000), { code: 'store_gone' })
      await assert.rejects(store.check(), { code: 'store_gone' })
      assert.equal(hints, 0)
    })
  }

  test('a database that was moved away and back is used again', async (t) => {
    const path = freshFile(t)
    const store = opened(t, path)
    await say(store, 0)
    renameSync(path, `${path}.away`)
    await assert.rejects(store.check(), { code: 'store_gone' })
    renameSync(`${path}.away`, path)
    await store.check()
  })

  test('a write-ahead log that is removed while it is open is noticed', async (t) => {
    const path = freshFile(t)
    const store = opened(t, path)
    await say(store, 0)
    const file = new OpenFile(path)
    rmSync(`${path}-wal`)
    assert.throws(() => file.assertThere(), { code: 'store_gone', details: { file: 'parley.db-wal', what: 'removed' } })
  })

  test('a write-ahead log that is missing after a kill stops the start, until a person accepts it', async (t) => {
    const path = freshFile(t)
    await killed(t, 'write', path)
    rmSync(`${path}-wal`)
    assertRefused(path, /parley\.db-wal is missing/)
    acceptRestore(path)
    const store = opened(t, path)
    assert.equal((await say(store, await store.head('s')))?.ok, true)
  })

  test('after a kill with its log, everything is there and the next end is clean', async (t) => {
    const path = freshFile(t)
    await killed(t, 'write', path)
    const store = sqliteStore({ path })
    assert.equal(await store.head('s'), 3)
    await store.close()
    assert.equal(existsSync(`${path}-wal`), false)
    assert.equal(await opened(t, path).head('s'), 3)
  })

  test('an older copy of the database stops the start, until a person accepts it', async (t) => {
    const path = freshFile(t)
    const first = sqliteStore({ path })
    await say(first, 0)
    await first.close()
    copyFileSync(path, `${path}.backup`)
    const second = sqliteStore({ path })
    await say(second, 1)
    await second.close()
    copyFileSync(`${path}.backup`, path)
    rmSync(`${path}.backup`)
    assertRefused(path, /ends at event 1, and event 2 was acknowledged/)
    assert.deepEqual(acceptRestore(path), { before: 2, now: 1 })
    const store = opened(t, path)
    assert.equal(await store.head('s'), 1)
    assert.equal((await say(store, 1))?.ok, true)
  })

  test('a missing database is not replaced by an empty one, until a person accepts it', async (t) => {
    const path = freshFile(t)
    const first = sqliteStore({ path })
    await say(first, 0)
    await first.close()
    rmSync(path)
    assertRefused(path, /parley\.db is missing/)
    assert.deepEqual(acceptRestore(path), { before: 1, now: null })
    assert.equal(await opened(t, path).position(), 0)
  })

  test('the database of another installation stops the start, even when it is longer', async (t) => {
    const [path, other] = [freshFile(t), freshFile(t)]
    for (const [file, count] of [
      [path, 1],
      [other, 5],
    ] as const) {
      const store = sqliteStore({ path: file })
      for (let head = 0; head < count; head += 1) await say(store, head)
      await store.close()
    }
    copyFileSync(other, path)
    assertRefused(path, /another database/)
    acceptRestore(path)
    assert.equal(await opened(t, path).head('s'), 5)
  })

  test('two stores on one file: each ends cleanly in any order, and one that is killed counts', async (t) => {
    const path = freshFile(t)
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const stores = [sqliteStore({ path }), sqliteStore({ path })]
      for (const index of order) await stores[index]?.close()
      assert.equal(existsSync(`${path}-wal`), false)
    }
    const living = sqliteStore({ path })
    await killed(t, 'write', path)
    await living.close()
    // The last one closed cleanly, so its checkpoint holds what the killed one wrote.
    assert.equal(await opened(t, path).head('s'), 3)
  })

  test('a database without a marker, or with one that cannot be read, starts as before', async (t) => {
    const path = freshFile(t)
    const first = sqliteStore({ path })
    await say(first, 0)
    await first.close()
    for (const spoil of [
      () => rmSync(`${path}-marker`),
      () => writeFileSync(`${path}-marker`, ''),
      () => writeFileSync(`${path}-marker`, '7\n{'),
    ]) {
      spoil()
      const store = sqliteStore({ path })
      assert.equal(await store.head('s'), 1)
      await store.close()
    }
  })

  test('a copy made while it runs, by VACUUM INTO, starts in a folder of its own', async (t) => {
    const [path, copy] = [freshFile(t), freshFile(t)]
    const store = opened(t, path)
    await say(store, 0)
    const reader = new DatabaseSync(path)
    reader.prepare('VACUUM INTO ?').run(copy)
    reader.close()
    assert.equal(await opened(t, copy).head('s'), 1)
  })

  test('a restore cannot be accepted while a server uses the database', (t) => {
    const path = freshFile(t)
    opened(t, path)
    assert.throws(() => acceptRestore(path), { code: 'store_locked' })
  })

  test('a process killed while it opens or closes never stops the next start', async (t) => {
    const path = freshFile(t)
    let head = 0
    // On a busy machine the first rounds may end before the first commit, so later ones take longer.
    for (let round = 0; round < 12 || (head === 0 && round < 60); round += 1) {
      await killed(t, 'openAndClose', path, Math.random() * 40 * (1 + round / 4))
      const store = sqliteStore({ path })
      const entry = await store.head('s')
      assert.ok(entry >= head)
      head = entry
      await store.close()
    }
    assert.ok(head > 0, 'it was killed before it did anything')
  })
}
