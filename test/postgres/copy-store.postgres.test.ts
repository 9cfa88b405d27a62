import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { parley } from '../../src/app/parley.ts'
import { checkStoreAt, copyStoreTo, migrateStore, type StorePlace } from '../../src/app/store-place.ts'
import { dialogView } from '../../src/dialogs/rows/dialog-rows.ts'
import { ParleyError } from '../../src/errors.ts'
import type { Store, StoredEvent } from '../../src/ports/store.ts'
import { folderFiles } from '../../src/store/folder-files.ts'
import { openPostgres } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { eventually } from '../fixtures/eventually.ts'
import { startPostgres, withClient, type PostgresServer } from '../fixtures/postgres-server.ts'

const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

const echo = defineAgent({
  name: 'echo',
  about: 'Repeats, or asks.',
  *reply({ context }) {
    const last = context.at(-1)
    const text = last?.kind === 'human' ? last.text : ''
    if (text === 'ask') yield { type: 'question', ask: { text: 'Colour?', items: [{ id: 'colour', text: 'Colour', kind: 'text' }] } }
    else yield { type: 'text', text: `heard ${text}` }
  },
})

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-copy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Dialogs with snapshots, an open question, work that is due, names, files and a text with U+0000. */
async function fill(folder: string): Promise<void> {
  const store = sqliteStore({ path: join(folder, 'parley.db') })
  await store.commit([
    { wake: [{ kind: 'later', key: 'w', at: 9e12, payload: { a: 1 } }], once: [{ key: 'k', value: ['v'] }] },
    { rows: [{ view: 'odd', key: 'r', group: '', sort: 1.5, text: 'A\0b', body: { x: '\0' } }] },
  ])
  {
    await using app = await parley({ store, agents: [echo], as: 'Mia', fast: true })
    const asking = await app.dialogs.open('ask')
    await eventually(async () => (await asking.detail()).status === 'waiting', 'a question')
    await (await app.dialogs.open('Grüße 你好')).reply()
    const long = await app.dialogs.open('first')
    for (let round = 0; round < 30; round += 1) {
      await long.reply()
      await long.say(`again ${round}`)
    }
    await long.reply()
  }
  await folderFiles(join(folder, 'files')).write('file_a', Buffer.from([0, 1, 255]))
}

async function everyEvent(store: Store): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await store.readAll(events.at(-1)?.position ?? 0, 200)
    if (page.length === 0) return events
    events.push(...page)
  }
}

const ignore = (): void => {}
const isCode = (code: string) => (error: unknown) => error instanceof ParleyError && error.code === code

test('copy to PostgreSQL and back: every event, row, name and file is there, and the sources are marked', async (t) => {
  const [source, back] = [folderFor(t), join(folderFor(t), 'back')]
  await fill(source)
  const url = await postgres.database()
  const reported = await copyStoreTo({ folder: source }, { url }, ignore)
  assert.ok(reported.events > 100 && reported.rows > 10)
  assert.equal(reported.files, 1)
  assert.throws(() => sqliteStore({ path: join(source, 'parley.db') }), isCode('store_moved'))
  const { store, files } = await openPostgres({ url })
  const original = sqliteStore({ path: join(source, 'parley.db'), ignoresMove: true })
  assert.deepEqual(await everyEvent(store), await everyEvent(original))
  assert.deepEqual(await store.row('odd', 'r'), await original.row('odd', 'r'))
  assert.deepEqual(await store.remembered('k'), { value: ['v'] })
  assert.equal((await files.read('file_a'))?.length, 3)
  const head = (await everyEvent(store)).at(-1)
  assert.ok(head)
  const [appended] = await store.commit([{ append: [{ stream: head.stream, expect: await store.head(head.stream), events: [] }] }])
  assert.equal(appended?.ok, true, 'heads are right')
  await Promise.all([store.close(), original.close()])
  assert.deepEqual((await checkStoreAt({ url })).differences, [])

  await copyStoreTo({ url }, { folder: back }, ignore)
  await assert.rejects(openPostgres({ url }), isCode('store_moved'))
  const again = sqliteStore({ path: join(back, 'parley.db') })
  const first = sqliteStore({ path: join(source, 'parley.db'), ignoresMove: true })
  assert.deepEqual(await everyEvent(again), await everyEvent(first))
  assert.deepEqual(await again.row('odd', 'r'), await first.row('odd', 'r'))
  const [said] = await again.commit([{ append: [{ stream: 'new', expect: 0, events: [{ type: 'word.said', at: 1, data: {} }] }] }])
  assert.ok(said?.ok && (said.events[0]?.position ?? 0) > head.position, 'positions go on')
  await Promise.all([again.close(), first.close()])
  const { differences, snapshots } = await checkStoreAt({ folder: back })
  assert.deepEqual(differences, [])
  assert.ok(snapshots > 0)
})

test('a copy that was cut continues, at each of its steps, and nothing serves the parts meanwhile', async (t) => {
  const source = folderFor(t)
  await fill(source)
  const url = await postgres.database()
  let cuts = 0
  for (let steps = 1; ; steps += 3) {
    let left = steps
    const copying = copyStoreTo({ folder: source }, { url }, () => {
      left -= 1
      if (left < 0) throw new Error('cut')
    })
    const isCut = await copying.then(
      () => false,
      (error: unknown) => {
        assert.match(String(error), /cut/)
        return true
      },
    )
    if (!isCut) break
    cuts += 1
    await assert.rejects(openPostgres({ url }), isCode('copy_unfinished'))
    assert.throws(() => sqliteStore({ path: join(source, 'parley.db') }), isCode('copy_unfinished'))
  }
  assert.ok(cuts > 3, `${cuts} cuts`)
  assert.deepEqual((await checkStoreAt({ url })).differences, [])
})

test('a copy is refused: servers that run, a target with data, another source, a moved source', async (t) => {
  const [source, other] = [folderFor(t), folderFor(t)]
  await fill(source)
  await fill(other)
  const url = await postgres.database()
  const copy = (from: StorePlace, to: StorePlace): Promise<unknown> => copyStoreTo(from, to, ignore)
  const running = sqliteStore({ path: join(source, 'parley.db') })
  await assert.rejects(copy({ folder: source }, { url }), isCode('store_locked'))
  await running.close()
  const { store } = await openPostgres({ url })
  await assert.rejects(copy({ folder: source }, { url }), isCode('store_locked'))
  await store.close()
  await assert.rejects(copy({ folder: source }, { folder: other }), isCode('copy_target_used'))
  await assert.rejects(
    copyStoreTo({ folder: source }, { url }, ({ part }) => {
      if (part === 'once') throw new Error('cut')
    }),
    /cut/,
  )
  await assert.rejects(copy({ folder: other }, { url }), isCode('copy_target_used'))
  await withClient(url, (client) => client.query("UPDATE parley.event SET data = '{}' WHERE position = 2"))
  await assert.rejects(copy({ folder: source }, { url }), isCode('copy_differs'))
  const fresh = await postgres.database()
  await copy({ folder: source }, { url: fresh })
  await assert.rejects(copy({ folder: source }, { url: await postgres.database() }), isCode('store_moved'))
})

test('check: names a row and a snapshot that do not follow from the events', async (t) => {
  const source = folderFor(t)
  await fill(source)
  const url = await postgres.database()
  await copyStoreTo({ folder: source }, { url }, ignore)
  await withClient(url, async (client) => {
    await client.query(
      "UPDATE parley.view_row SET grp = 'wrong' WHERE view = $1 AND key = (SELECT min(key) FROM parley.view_row WHERE view = $1)",
      [dialogView],
    )
    await client.query(`UPDATE parley.snapshot SET state = '{"wrong":1}'`)
    await client.query("INSERT INTO parley.view_row (view, key, grp, sort, folded, body) VALUES ($1, 'dlg_none', '', 0, '', '{}')", [
      dialogView,
    ])
  })
  const { differences, count } = await checkStoreAt({ url })
  assert.equal(count, differences.length)
  for (const fits of [/^row \w+\/dlg_\S+: differs/, /^snapshot dlg_\S+: differs/, /^row \w+\/dlg_none: follows from no event/])
    assert.ok(
      differences.some((difference) => fits.test(difference)),
      differences.join('\n'),
    )
  const { from, to } = await migrateStore({ url })
  assert.equal(from, to, 'a copy has the newest tables')
})

test('parley store copy and parley serve: a moved folder is refused unless told to', async (t) => {
  const folder = folderFor(t)
  await fill(join(folder, '.parley'))
  writeFileSync(join(folder, 'parley.yaml'), '')
  const url = (await postgres.database()).replace('parley@', 'parley:very-secret-word@')
  const run = (...args: string[]): { status: number | null; output: string } => {
    const ran = spawnSync(process.execPath, [cli, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', TARGET: url },
      timeout: 60_000,
    })
    assert.ok(!(ran.stdout + ran.stderr).includes('very-secret-word'))
    return { status: ran.status, output: ran.stdout + ran.stderr }
  }
  const copied = run('store', 'copy', '--to', '${TARGET}')
  assert.equal(copied.status, 0, copied.output)
  assert.match(copied.output, /events, .* were copied .* is marked as moved/)
  const refused = run('serve', '--port', '0')
  assert.equal(refused.status, 1)
  assert.match(refused.output, /was copied to another store/)
  assert.match(run('store', 'check', '--store', '${TARGET}').output, /events folded/)
  const { store: running } = await openPostgres({ url })
  const locked = run('store', 'check', '--store', '${TARGET}')
  await running.close()
  assert.equal(locked.status, 1, `the refused command did not end: ${locked.output}`)
  assert.match(locked.output, /a server is running on it/)
})

const bin = findPostgres() ?? ''
const withoutDump = !existsSync(join(bin, 'pg_dump')) && 'the PostgreSQL of npm has no pg_dump'

test('a dump of PostgreSQL that is restored into another database is whole and goes on', { skip: withoutDump }, async (t) => {
  const source = folderFor(t)
  await fill(source)
  const url = await postgres.database()
  await copyStoreTo({ folder: source }, { url }, ignore)
  const file = join(source, 'parley.dump')
  const restored = await postgres.database()
  for (const [program, ...args] of [
    ['pg_dump', '--format=custom', `--file=${file}`, url],
    ['pg_restore', '--no-owner', `--dbname=${restored}`, file],
  ] as const) {
    const ran = spawnSync(join(bin, program), args, { encoding: 'utf8' })
    assert.equal(ran.status, 0, ran.stderr)
  }
  const report = await checkStoreAt({ url: restored })
  assert.deepEqual(report.differences, [])
  assert.ok(report.events > 100)
  const { store } = await openPostgres({ url: restored })
  const position = await store.position()
  const [said] = await store.commit([{ append: [{ stream: 'new', expect: 0, events: [{ type: 'word.said', at: 1, data: {} }] }] }])
  assert.ok(said?.ok && (said.events[0]?.position ?? 0) > position)
  await store.close()
})
