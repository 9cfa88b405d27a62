import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insist, seqs, words } from '../../testing/store-contract-units.ts'
import { sqliteStore } from './sqlite-store.ts'

/**
 * Behaviour that only real processes can show. This file is also the program of the other process: the part is named in its
 * environment, each line it prints is news for the test.
 */
const parts: Record<string, (path: string, name: string) => Promise<void>> = {
  async write(path, name) {
    const store = sqliteStore({ path })
    for (let i = 0; i < 100; i++) {
      await insist(store, 'together', `${name}.${i}`)
      await insist(store, `alone-${name}`, `${i}`)
    }
    await store.close()
    console.log('written')
  },
  async hold(path) {
    const store = sqliteStore({ path })
    const leases = await store.claim('turn', 10, 3_600_000)
    console.log(`holding ${leases.map(({ key }) => key).join()}`)
    setInterval(() => {}, 1000)
  },
  async work(path, name) {
    const store = sqliteStore({ path })
    for (let idle = 0; idle < 20;) {
      const leases = await store.claim('turn', 3, 60_000)
      idle = leases.length === 0 ? idle + 1 : 0
      for (const lease of leases) {
        const outcome = {
          append: [{ stream: lease.key, expect: await store.head(lease.key), events: [{ type: 'worked', at: 1, data: { word: name } }] }],
        }
        const [result] = await store.commit([{ ...outcome, lease, settle: 'done' }])
        assert.ok(result?.ok)
      }
      await sleep(5)
    }
    await store.close()
    console.log('idle')
  },
}

const { PARLEY_TEST_PART, PARLEY_TEST_PATH, PARLEY_TEST_NAME } = process.env
if (PARLEY_TEST_PART) await parts[PARLEY_TEST_PART]?.(PARLEY_TEST_PATH ?? '', PARLEY_TEST_NAME ?? '')
else defineTests()

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-processes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'parley.db')
}

function start(
  t: TestContext,
  name: string,
  path: string,
  as = 'x',
): { process: ChildProcess; line: Promise<string>; ended: Promise<unknown> } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...env, PARLEY_TEST_PART: name, PARLEY_TEST_PATH: path, PARLEY_TEST_NAME: as },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const line = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('exit', (status) => reject(new Error(`the other process ended with ${status} before it said anything: ${output}`)))
  })
  return { process: child, line, ended: once(child, 'exit') }
}

function defineTests(): void {
  test('processes that open one new file at once and write to it lose nothing and leave no gap', async (t) => {
    const path = freshFile(t)
    const names = ['a', 'b', 'c']
    const lines = await Promise.all(names.map((name) => start(t, 'write', path, name).line))
    assert.deepEqual(lines, ['written', 'written', 'written'])
    const store = sqliteStore({ path })
    t.after(() => store.close())
    const together = await store.read('together', 0, 1000)
    assert.deepEqual(
      seqs(together),
      Array.from({ length: 300 }, (_, i) => i + 1),
    )
    assert.equal(new Set(words(together)).size, 300)
    for (const name of names) assert.equal(await store.head(`alone-${name}`), 100)
    assert.equal((await store.readAll(0, 1000)).length, 600)
  })

  test('what a killed process had claimed is claimed again at once, long before the lease ends', async (t) => {
    const path = freshFile(t)
    const store = sqliteStore({ path })
    t.after(() => store.close())
    await store.commit([
      {
        wake: [
          { kind: 'turn', key: 'a', at: 0 },
          { kind: 'turn', key: 'b', at: 1 },
        ],
      },
    ])
    const holder = start(t, 'hold', path)
    assert.equal(await holder.line, 'holding a,b')
    // The store looks for dead owners once a second: it must find this one alive.
    await sleep(1100)
    assert.deepEqual(await store.claim('turn', 10, 1000), [])

    holder.process.kill('SIGKILL')
    await holder.ended
    const next = sqliteStore({ path })
    t.after(() => next.close())
    const leases = await next.claim('turn', 10, 60_000)
    assert.deepEqual(leases.map(({ key, attempts }) => `${key} ${attempts}`).toSorted(), ['a 2', 'b 2'])
    assert.equal(readdirSync(join(path, '..')).filter((file) => file.endsWith('.lock')).length, 2)
  })

  test('a store that was open all the time also finds the dead, and several that look at once share the work', async (t) => {
    const path = freshFile(t)
    const stores = [sqliteStore({ path }), sqliteStore({ path })] as const
    t.after(() => Promise.all(stores.map((store) => store.close())))
    await stores[0].commit(Array.from({ length: 10 }, (_, i) => ({ wake: [{ kind: 'turn', key: `k${i}`, at: 0 }] })))
    const holder = start(t, 'hold', path)
    await holder.line
    holder.process.kill('SIGKILL')
    await holder.ended
    const claimed: string[] = []
    for (let round = 0; round < 6_000 && claimed.length < 10; round++) {
      for (const store of stores) claimed.push(...(await store.claim('turn', 2, 60_000)).map(({ key }) => key))
      await sleep(10)
    }
    assert.equal(claimed.length, 10)
    assert.equal(new Set(claimed).size, 10)
  })

  test('two processes share work without doing any twice', async (t) => {
    const path = freshFile(t)
    const store = sqliteStore({ path })
    t.after(() => store.close())
    await store.commit(Array.from({ length: 200 }, (_, i) => ({ wake: [{ kind: 'turn', key: `k${i}`, at: 0 }] })))
    await Promise.all([start(t, 'work', path, 'a').line, start(t, 'work', path, 'b').line])
    const events = await store.readAll(0, 1000)
    assert.equal(events.length, 200)
    assert.equal(new Set(events.map(({ stream }) => stream)).size, 200)
    assert.equal(await store.nextDue('turn'), null)
  })

  test('a live process is told what another one commits', async (t) => {
    const path = freshFile(t)
    const store = sqliteStore({ path })
    t.after(() => store.close())
    let head = 0
    store.hints.onStream((stream, to) => {
      if (stream === 'together') head = to
    })
    await start(t, 'write', path).line
    for (let round = 0; round < 6_000 && head < 100; round++) await sleep(10)
    assert.equal(head, 100)
    assert.ok(existsSync(path))
  })
}
