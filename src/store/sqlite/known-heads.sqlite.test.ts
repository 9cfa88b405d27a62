import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { sqliteStore } from './sqlite-store.ts'

function freshPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-heads-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'parley.db')
}

const append = (stream: string, expect: number) => [{ append: [{ stream, expect, events: [{ type: 'x', at: 1, data: {} }] }] }]

test('a store reads what another connection of the process committed a moment ago', async (t) => {
  const path = freshPath(t)
  const [one, other] = [sqliteStore({ path }), sqliteStore({ path })]
  t.after(() => Promise.all([one.close(), other.close()]))
  for (let head = 0; head < 20; head += 1) {
    // Both learn the head, and no callback of the event loop comes between the commit and the reads.
    assert.equal((await other.read('s', 0, 100)).length, head)
    assert.equal((await other.read('s', head, 100)).length, 0)
    await one.commit(append('s', head))
    assert.equal((await other.read('s', head, 100)).length, 1)
    const [refused] = await other.commit(append('s', head))
    assert.deepEqual(refused, { ok: false, why: 'conflict', stream: 's', head: head + 1 })
  }
})

test('a store reads what a foreign connection committed since the last callback of the event loop', async (t) => {
  const path = freshPath(t)
  const store = sqliteStore({ path })
  const foreign = new DatabaseSync(path)
  t.after(async () => {
    foreign.close()
    await store.close()
  })
  for (let seq = 1; seq <= 20; seq += 1) {
    assert.equal((await store.read('s', seq - 1, 100)).length, 0)
    assert.equal(await store.snapshot('s'), null)
    foreign.prepare("INSERT INTO event (stream, seq, at, type, data) VALUES ('s', ?, 1, 'x', '{}')").run(seq)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal((await store.read('s', seq - 1, 100)).length, 1)
    const [refused] = await store.commit(append('s', seq - 1))
    assert.ok(refused && !refused.ok && refused.why === 'conflict')
  }
})

test('a commit that failed leaves no head behind', async (t) => {
  const path = freshPath(t)
  const store = sqliteStore({ path })
  t.after(() => store.close())
  await store.commit(append('s', 0))
  const broken = {
    append: [{ stream: 's', expect: 1, events: [{ type: 'x', at: 1, data: { toJSON: () => assert.fail('not to be stored') } }] }],
  }
  await assert.rejects(store.commit([...append('t', 0), broken]))
  assert.equal((await store.read('t', 0, 100)).length, 0)
  assert.deepEqual(
    (await store.commit([...append('t', 0), ...append('s', 1)])).map(({ ok }) => ok),
    [true, true],
  )
})
