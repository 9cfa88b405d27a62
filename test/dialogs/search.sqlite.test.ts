import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openParley } from '../../src/app/library.ts'
import { retireBatch } from '../../src/app/retire/retire-dialogs.ts'
import { readRetired, restoreDialog } from '../../src/app/retire/restore-dialog.ts'
import { systemClock } from '../../src/ports/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import { wordIndexer } from '../../src/search/word-index.ts'
import { silentLog } from '../../src/ports/log.ts'
import { folderFiles } from '../../src/store/folder-files.ts'
import { openSqliteRaw } from '../../src/store/sqlite/sqlite-raw.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { crashingStore } from '../../src/testing/crashing-store.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { eventually } from '../fixtures/eventually.ts'

const mia: Caller = { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'web' }

const team = teamOf(async function* ({ context }) {
  const last = context.at(-1)
  yield { type: 'text', text: `heard ${last?.kind === 'human' ? last.text : ''}` }
})

function dataFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'parley-search-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function talk(store: Store, texts: readonly string[]): Promise<string[]> {
  const parley = openParley({ store, team })
  const ids: string[] = []
  for (const text of texts) {
    const { id } = await parley.dialogs.open({ text }, mia)
    await eventually(async () => (await parley.dialogs.get(id)).status === 'ready', text)
    ids.push(id)
  }
  await parley.close()
  return ids
}

const found = async (store: Store, q: string): Promise<string[]> => {
  const parley = openParley({ store, team, works: false })
  const { items } = await parley.search({ q })
  await parley.close()
  return [...new Set(items.map(({ dialog }) => dialog))]
}

test('what was said before is made searchable at the first start, and a crash between two steps loses nothing', async (t) => {
  const path = join(dataFolder(t), 'parley.db')
  const first = sqliteStore({ path })
  const texts = Array.from({ length: 130 }, (_, index) => `panda${index}x 熊猫`)
  const ids = await talk(first, texts)
  assert.equal(await first.indexedTo(), 0, 'a second of quiet has not passed')
  // Dies after the first step; the next process continues there.
  const dying = crashingStore(first, { commit: 2, when: 'before' })
  await assert.rejects(wordIndexer({ store: dying, log: silentLog }).catchUp())
  const store = sqliteStore({ path })
  const after = await store.indexedTo()
  assert.ok(after > 0 && after < (await store.position()))
  const parley = openParley({ store, team })
  await eventually(async () => (await store.indexedTo()) === (await store.position()), 'everything is indexed in the background')
  await parley.close()
  for (const index of [0, 57, 129]) assert.deepEqual(await found(store, `panda${index}x 熊猫`), [ids[index]])
  await store.close()
})

test('words of a deleted chat leave with it, and a step that read them before adds nothing', async (t) => {
  const store = sqliteStore({ path: join(dataFolder(t), 'parley.db') })
  const [gone = '', stays = ''] = await talk(store, ['narwhal one', 'narwhal two'])
  assert.deepEqual(await found(store, 'narwhal'), [stays, gone])
  const parley = openParley({ store, team, works: false })
  await parley.dialogs.delete(gone, mia)
  await parley.close()
  assert.deepEqual(await store.findWords({ words: [{ word: 'narwhal' }], groups: [gone], limit: 9 }), [])
  assert.deepEqual(await found(store, 'narwhal'), [stays])

  const late = (await talk(store, ['narwhal three']))[0] ?? ''
  const reading = Promise.withResolvers<void>()
  const slow: Store = {
    ...store,
    async readAll(...asked) {
      const events = await store.readAll(...asked)
      const deleting = openParley({ store, team, works: false })
      await deleting.dialogs.delete(late, mia)
      await deleting.close()
      reading.resolve()
      return events
    },
  }
  await wordIndexer({ store: slow, log: silentLog })
    .catchUp()
    .catch(() => undefined)
  await reading.promise
  assert.deepEqual(await found(store, 'narwhal'), [stays])
  await store.close()
})

test('a retired dialog is not found, and is found again when it is restored', async (t) => {
  const dir = dataFolder(t)
  const path = join(dir, 'parley.db')
  const store = sqliteStore({ path })
  const [id = ''] = await talk(store, ['axolotl 美西螈'])
  assert.deepEqual(await found(store, '西螈'), [id])
  const files = folderFiles(join(dir, 'retired'))
  const parley = openParley({ store, team, works: false })
  const clock = { ...systemClock, now: () => Date.now() + 1_000 }
  assert.equal((await retireBatch({ store, dialogs: parley.streams, files, folder: dir, clock }, 0, '')).dialogs, 1)
  await parley.close()
  assert.deepEqual(await found(store, '西螈'), [])
  assert.deepEqual(await found(store, 'axolotl'), [])
  const tree = await readRetired(store, files, id)
  await store.close()
  await restoreDialog(
    tree,
    async () => openSqliteRaw(path),
    async () => sqliteStore({ path }),
    Date.now(),
  )
  const again = sqliteStore({ path })
  assert.deepEqual(await found(again, '西螈'), [id])
  assert.equal((await again.findWords({ words: [{ word: 'axolotl' }], limit: 9 })).length, 2, 'each message once')
  await again.close()
})
