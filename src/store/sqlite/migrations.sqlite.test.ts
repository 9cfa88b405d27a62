import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { applicationId, migrate, migrations } from './migrations.ts'
import { sqliteStore } from './sqlite-store.ts'

const firstData = `
    INSERT INTO event (stream, seq, at, type, data) VALUES ('d_1', 1, 1000, 'word.said', '{"word":"one"}'), ('d_1', 2, 1001, 'word.said', '{"word":"two"}');
    INSERT INTO work (kind, key, due_at, payload) VALUES ('turn', 'd_1', 5, '{"a":1}');
    INSERT INTO work (kind, key, due_at, owner, epoch, attempts) VALUES ('turn', 'd_2', 9e15, 'died long ago', 7, 2);
    UPDATE meta SET value = 7 WHERE name = 'epoch';
    INSERT INTO once (key, value, at) VALUES ('k', '"first"', 1000);
    INSERT INTO row (view, key, grp, sort, text, folded, body) VALUES ('dialogs', 'd_1', 'open', 3, 'Garden', 'garden', '{"title":"Garden"}');
    INSERT INTO snapshot (stream, seq, version, state) VALUES ('d_1', 2, 1, '{"words":2}');
  `

/** Data as a file of that version holds it. A new migration needs an entry here: what a file looked like just before it. */
const dataOfVersion: Record<number, string> = {
  0: '',
  1: firstData,
  2: `${firstData} UPDATE work SET since = 900;`,
  3: `${firstData} UPDATE work SET since = 900;`,
}

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'parley.db')
}

function readVersion(path: string): unknown {
  const db = new DatabaseSync(path)
  const version = db.prepare('PRAGMA user_version').get()?.['user_version']
  db.close()
  return version
}

function writeVersion(path: string, version: number): void {
  const data = dataOfVersion[version]
  assert.ok(data !== undefined, `no data for version ${version}: add what a file of that version looks like`)
  const db = new DatabaseSync(path)
  migrate(db, version)
  db.exec(data)
  db.close()
}

for (let version = 0; version <= migrations.length; version++) {
  test(`a file of version ${version} is brought to version ${migrations.length} and works`, async (t) => {
    const path = freshFile(t)
    writeVersion(path, version)
    assert.equal(readVersion(path), version)
    const store = sqliteStore({ path })
    t.after(() => store.close())
    assert.equal(readVersion(path), migrations.length)
    const result = await store.commit([{ append: [{ stream: 'new', expect: 0, events: [{ type: 'word.said', at: 1, data: {} }] }] }])
    assert.equal(result[0]?.ok, true)
  })
}

for (let version = 1; version <= migrations.length; version++) {
  test(`nothing of a file of version ${version} is lost`, async (t) => {
    const path = freshFile(t)
    writeVersion(path, version)
    const store = sqliteStore({ path })
    t.after(() => store.close())
    assert.deepEqual(await store.read('d_1', 0, 10), [
      { stream: 'd_1', seq: 1, position: 1, type: 'word.said', at: 1000, data: { word: 'one' } },
      { stream: 'd_1', seq: 2, position: 2, type: 'word.said', at: 1001, data: { word: 'two' } },
    ])
    const leases = await store.claim('turn', 10, 1000)
    assert.deepEqual(
      leases.map(({ key, epoch, attempts, payload }) => ({ key, epoch, attempts, payload })),
      [
        { key: 'd_1', epoch: 8, attempts: 1, payload: { a: 1 } },
        { key: 'd_2', epoch: 9, attempts: 3, payload: null },
      ],
    )
    assert.deepEqual(await store.remembered('k'), { value: 'first' })
    assert.deepEqual(await store.rows({ view: 'dialogs', text: 'GARDEN', limit: 5 }), [
      { view: 'dialogs', key: 'd_1', group: 'open', sort: 3, text: 'Garden', body: { title: 'Garden' } },
    ])
    assert.deepEqual(await store.snapshot('d_1'), { stream: 'd_1', seq: 2, version: 1, state: { words: 2 } })
  })
}

test('an empty file becomes a store', (t) => {
  const path = freshFile(t)
  writeFileSync(path, '')
  const store = sqliteStore({ path })
  t.after(() => store.close())
  assert.equal(readVersion(path), migrations.length)
})

test('a file of a newer Parley is refused with both versions, and left as it is', (t) => {
  const path = freshFile(t)
  writeVersion(path, migrations.length)
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
  assert.throws(() => sqliteStore({ path }), { code: 'store_newer', details: { found: migrations.length + 1, known: migrations.length } })
  assert.equal(readVersion(path), migrations.length + 1)
})

test('what is not a database is refused as damaged, and left as it is', (t) => {
  const path = freshFile(t)
  const text = 'Dear diary, this is not a database. '.repeat(200)
  writeFileSync(path, text)
  assert.throws(() => sqliteStore({ path }), { code: 'store_damaged' })
  assert.equal(readFileSync(path, 'utf8'), text)
  assert.equal(existsSync(`${path}-wal`), false)
})

test('a damaged file is refused as damaged', (t) => {
  const path = freshFile(t)
  writeVersion(path, migrations.length)
  const bytes = readFileSync(path)
  bytes.fill(0xa5, 100, 4096)
  writeFileSync(path, bytes)
  assert.throws(() => sqliteStore({ path }), { code: 'store_damaged' })
})

test('a file that lost a table is refused as damaged', (t) => {
  const path = freshFile(t)
  writeVersion(path, migrations.length)
  const db = new DatabaseSync(path)
  db.exec('DROP TABLE work')
  db.close()
  assert.throws(() => sqliteStore({ path }), { code: 'store_damaged' })
})

test('the database of another program is never filled with our tables', (t) => {
  const path = freshFile(t)
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE theirs (a)')
  db.close()
  assert.throws(() => sqliteStore({ path }), { code: 'store_damaged', message: /another program/ })
  const again = new DatabaseSync(path)
  assert.deepEqual(
    again
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
    ['theirs'],
  )
  assert.equal(again.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'delete')
  again.close()
})

test('a migration that fails leaves the file at the version before', (t) => {
  const path = freshFile(t)
  const db = new DatabaseSync(path)
  t.after(() => db.close())
  // A table of ours that is already there makes the first migration stumble half-way.
  db.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE snapshot (a)`)
  assert.throws(() => migrate(db), /already exists/)
  assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 0)
  assert.equal(db.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'event'").get()?.['count'], 0)
})
