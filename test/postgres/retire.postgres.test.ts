import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after as afterAll, before as beforeAll, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { parley } from '../../src/app/parley.ts'
import { type RetireParts, retireBatch } from '../../src/app/retire/retire-dialogs.ts'
import { unpackTree } from '../../src/app/retire/retired-file.ts'
import { foldedViews } from '../../src/app/stream-kinds.ts'
import { checkStoreAt, openStoreAt, readRetiredAt, restoreAt, retireAt, type StorePlace } from '../../src/app/store-place.ts'
import { dialogKind } from '../../src/dialogs/rows/dialog-kind.ts'
import { dialogView, sideView } from '../../src/dialogs/rows/dialog-rows.ts'
import type { RetiredFacts } from '../../src/dialogs/rules/dialog-events.ts'
import { ParleyError } from '../../src/errors.ts'
import { systemClock } from '../../src/ports/clock.ts'
import type { Files } from '../../src/ports/files.ts'
import type { Store, StoredEvent, ViewRow } from '../../src/ports/store.ts'
import { folderFiles } from '../../src/store/folder-files.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { crashingStore, SimulatedCrash } from '../../src/testing/crashing-store.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'

const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const helper = defineAgent({
  name: 'helper',
  about: 'Helps.',
  *reply() {
    yield { type: 'text', text: 'helped' }
  },
})

const ada = defineAgent({
  name: 'ada',
  about: 'Repeats, asks, or lets the helper work.',
  *reply({ context }) {
    const last = context.at(-1)
    const text = last?.kind === 'human' ? last.text : ''
    if (text === 'ask') yield { type: 'question', ask: { text: 'Colour?', items: [{ id: 'colour', text: 'Colour', kind: 'text' }] } }
    else if (text === 'delegate')
      yield { type: 'call', call: 'c', name: 'tellask', input: { targetAgentId: '@helper', sessionSlug: 'work', tellaskContent: 'please' } }
    else yield { type: 'text', text: `heard ${text}` }
  },
})

const open = (store: Store) => parley({ store, agents: [ada, helper], as: 'Mia', fast: true })

type Filled = { waiting: string; finished: string[] }

/** Finished: one with more events than a snapshot takes, one with a side dialog, one whose question was answered. */
async function fill(place: StorePlace): Promise<Filled> {
  const store = await openStoreAt(place)
  const ids: string[] = []
  let waiting = ''
  {
    await using app = await open(store)
    const asking = await app.dialogs.open('ask')
    await eventually(async () => (await asking.detail()).status === 'waiting', 'a question')
    waiting = asking.id
    const long = await app.dialogs.open('first')
    for (let round = 0; round < 25; round += 1) {
      await long.reply()
      await long.say(`round ${round} 你好\u0000`)
    }
    await long.reply()
    const delegating = await app.dialogs.open('delegate')
    await eventually(async () => (await delegating.detail()).status === 'ready' && (await delegating.detail()).turns > 1, 'the reply')
    const answered = await app.dialogs.open('ask')
    const [question] = await eventually(async () => {
      const { questions } = await answered.detail()
      return questions.length > 0 && questions
    }, 'the question')
    await app.questions.answer(question?.id ?? '', { answers: { colour: 'blue' } })
    await eventually(async () => (await answered.detail()).status === 'ready', 'the reply')
    ids.push(long.id, delegating.id, answered.id)
  }
  await store.close()
  return { waiting, finished: ids }
}

type Dump = { streams: Map<string, StoredEvent[]>; rows: ViewRow[] }

async function dump(place: StorePlace): Promise<Dump> {
  const store = await openStoreAt(place)
  try {
    const events = await store.readAll(0, 100_000)
    const rows: ViewRow[] = []
    for (const view of foldedViews) rows.push(...(await store.rows({ view, limit: 1_000 })))
    return { streams: Map.groupBy(events, ({ stream }) => stream), rows }
  } finally {
    await store.close()
  }
}

const notDialogRows = ({ rows }: Dump): ViewRow[] => rows.filter(({ view }) => view !== dialogView && view !== sideView)

/** Every event of before is in the store, or in the file that its dialog names. */
async function assertNothingLost(place: StorePlace, folder: string, before: Dump): Promise<number> {
  const now = await dump(place)
  let retired = 0
  for (const [stream, log] of before.streams) {
    const left = now.streams.get(stream) ?? []
    const last = left.at(-1)
    if (last?.type !== 'dialog.retired') {
      assert.deepEqual(left, log, stream)
      continue
    }
    retired += 1
    const { file, events } = last.data as RetiredFacts
    const tree = unpackTree(file, await folderFiles(folder).read(file))
    assert.deepEqual(
      tree.events.filter((event) => event.stream === stream),
      log,
    )
    assert.equal(events, log.length)
    assert.equal(left.length, 1)
  }
  assert.equal((await checkStoreAt(place)).count, 0)
  return retired
}

const places: Record<string, (t: TestContext) => Promise<StorePlace>> = {
  SQLite: async (t) => ({ folder: makeFolder(t) }),
  PostgreSQL: async () => ({ url: await postgres.database() }),
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-retire-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const soon = -60_000

for (const [kind, make] of Object.entries(places)) {
  test(`${kind}: finished dialogs are retired, read and brought back as they were`, async (t) => {
    const place = await make(t)
    const folder = makeFolder(t)
    const { waiting, finished } = await fill(place)
    const before = await dump(place)

    assert.deepEqual(await retireAt(place, folder, 60_000), { dialogs: 0, events: 0 }, 'none has rested for a minute')
    const report = await retireAt(place, folder, soon)
    assert.equal(report.dialogs, 4)
    assert.equal(await assertNothingLost(place, folder, before), 4)
    assert.deepEqual(await retireAt(place, folder, soon), { dialogs: 0, events: 0 })

    const store = await openStoreAt(place)
    {
      await using app = await open(store)
      const { items } = await app.dialogs.list({ status: 'retired' })
      assert.deepEqual(items.map(({ id }) => id).toSorted(), finished.toSorted())
      const titles = new Map(before.rows.filter(({ view }) => view === dialogView).map(({ key, body }) => [key, body]))
      for (const { id, title, updatedAt, spent } of items) {
        const { title: oldTitle, updatedAt: oldAt, spent: oldSpent } = titles.get(id) as (typeof items)[number]
        assert.deepEqual([title, updatedAt, spent], [oldTitle, oldAt, oldSpent])
      }
      const [first = ''] = finished
      await assert.rejects(app.dialogs.say(first, 'more'), (error) => error instanceof ParleyError && error.code === 'dialog_retired')
      assert.equal((await app.dialogs.get(waiting)).status, 'waiting')
    }
    await store.close()

    for (const id of finished) {
      const { events } = await readRetiredAt(place, folder, id)
      assert.deepEqual(
        events.filter(({ stream }) => stream === id),
        before.streams.get(id),
      )
      assert.ok((await restoreAt(place, folder, id)).events >= events.length)
    }
    const restored = await dump(place)
    for (const [stream, log] of before.streams) assert.deepEqual((restored.streams.get(stream) ?? []).slice(0, log.length), log)
    assert.deepEqual(notDialogRows(restored), notDialogRows(before))
    assert.equal((await checkStoreAt(place)).count, 0)
    await assert.rejects(
      restoreAt(place, folder, finished[0] ?? ''),
      (error) => error instanceof ParleyError && error.code === 'not_retired',
    )
    const again = await openStoreAt(place)
    {
      await using app = await open(again)
      const [first = ''] = finished
      await app.dialogs.say(first, 'more')
      await eventually(async () => (await app.dialogs.get(first)).preview === 'heard more', 'the reply')
    }
    await again.close()
    assert.equal((await checkStoreAt(place)).count, 0)
  })

  test(`${kind}: a crash at any step of retiring, or a full disk, loses nothing`, async (t) => {
    const place = await make(t)
    const folder = makeFolder(t)
    await fill(place)
    const before = await dump(place)
    const files = folderFiles(folder)
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const faults: Record<string, { files?: Partial<Files>; commit?: 'before' | 'after' }> = {
      'the disk is full': { files: { write: () => Promise.reject(full) } },
      'it dies while the file is written': {
        files: {
          write(name, bytes) {
            writeFileSync(join(folder, `${name}.0.new`), bytes.subarray(0, 20))
            return Promise.reject(new SimulatedCrash())
          },
        },
      },
      'it dies when the file has its name': {
        files: { write: (name, bytes) => files.write(name, bytes).then(() => Promise.reject(new SimulatedCrash())) },
      },
      'the file cannot be read back': { files: { read: () => Promise.resolve(null) } },
      'the disk gives back other bytes': { files: { read: async (name) => (await files.read(name))?.subarray(0, -9) ?? null } },
      'it dies before the commit': { commit: 'before' },
      'it dies after the commit': { commit: 'after' },
    }
    let retired = 0
    for (const [what, fault] of Object.entries(faults)) {
      const inside = await openStoreAt(place)
      const store = fault.commit ? crashingStore(inside, { when: fault.commit, commit: 1 }) : inside
      const parts: RetireParts = {
        store,
        dialogs: streamHandler(dialogKind, store, groupCommitter(store)),
        files: { ...files, ...fault.files },
        folder,
        clock: systemClock,
      }
      await assert.rejects(retireBatch(parts, soon, ''), (error) => !(error instanceof assert.AssertionError), what)
      await inside.close()
      if (fault.commit === 'after') retired += 1
      const now = await assertNothingLost(place, folder, before)
      assert.ok(now >= retired, what)
      retired = now
    }
    assert.ok(retired > 0, 'the last crash came after the commit')
    await retireAt(place, folder, soon)
    assert.equal(await assertNothingLost(place, folder, before), 4)
  })
}

test('a full disk is reported by the command, and no event leaves the store', async (t) => {
  const place = { url: await postgres.database() }
  const folder = makeFolder(t)
  const data = makeFolder(t)
  await fill(place)
  const before = await dump(place)
  const args = [cli, 'store', 'retire', '--days', '0', '--store', place.url, '--folder', folder, '--json']
  const run = (limit: string) =>
    spawnSync('bash', ['-c', `${limit} exec "$0" "$@"`, process.execPath, ...args], {
      cwd: data,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: '' },
    })
  const refused = run('ulimit -f 0;')
  assert.notEqual(refused.status, 0)
  assert.match(refused.stdout + refused.stderr, /retire_failed/)
  assert.deepEqual(readdirSync(folder), [])
  assert.equal(await assertNothingLost(place, folder, before), 0)
  assert.equal(run('').status, 0)
  assert.equal(await assertNothingLost(place, folder, before), 4)
})
