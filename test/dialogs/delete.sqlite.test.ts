import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type OpenParley, openParley } from '../../src/app/library.ts'
import { foldedViews } from '../../src/app/stream-kinds.ts'
import { budgetView } from '../../src/dialogs/rules/budget-scopes.ts'
import { ownDialogView } from '../../src/dialogs/rows/own-rows.ts'
import { ParleyError } from '../../src/errors.ts'
import type { Agent, Team } from '../../src/ports/agent-runtime.ts'
import { systemClock } from '../../src/ports/clock.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import { memoryFiles } from '../../src/store/memory/memory-files.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { eventually } from '../fixtures/eventually.ts'

const mia = (key?: string): Caller => ({
  by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' },
  via: 'web',
  ...(key === undefined ? {} : { once: { key, request: 'delete' } }),
})

let release = (): void => {}
const gate = new Promise<void>((resolve) => (release = resolve))

/** "delegate" asks a helper, "ask" asks the person, "hang" waits. Every word of the talk has "zebra" in it. */
function team(): Team {
  const ada = teamOf(async function* ({ context }) {
    const last = context.at(-1)
    const text = last?.kind === 'human' ? last.text : ''
    yield { type: 'usage', model: 'm', usage: { inputTokens: 100, outputTokens: 5 } }
    if (text.startsWith('delegate'))
      yield {
        type: 'call',
        call: 'c',
        name: 'tellask',
        input: { targetAgentId: '@helper', sessionSlug: 'work', tellaskContent: 'zebra work' },
      }
    else if (text.startsWith('ask'))
      yield { type: 'question', ask: { text: 'Which zebra?', items: [{ id: 'z', text: 'zebra', kind: 'text' }] } }
    else if (text.startsWith('hang')) await gate
    else yield { type: 'text', text: 'zebra said' }
  })
  const helper: Agent = { ...(ada.agent('ada') as Agent), name: 'helper' }
  return {
    default: 'ada',
    agent: (name) => (name === 'helper' ? helper : ada.agent(name)),
    list: () => [...ada.list(), { name: 'helper', about: 'Helps.' }],
  }
}

const refusedWith = (code: string) => (error: unknown) => error instanceof ParleyError && error.code === code

test('a chat is deleted with everything below it, and a cut between commit and files is made up for', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-delete-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'parley.db')
  const files = memoryFiles(systemClock)
  const store = sqliteStore({ path })
  const first = openParley({ store, team: team(), files })
  const settled = async (parley: OpenParley, id: string, status: string): Promise<unknown> =>
    eventually(async () => (await parley.dialogs.get(id)).status === status, `${id} is ${status}`)

  const own = await first.files.add({ name: 'zebra.txt', bytes: Buffer.from('zebra stripes') }, mia())
  const { id } = await first.dialogs.open({ title: 'zebra', text: 'delegate zebra', files: [own.file] }, mia())
  await eventually(async () => (await first.dialogs.tree(id)).length === 2 && (await first.dialogs.get(id)).turns > 1, 'a reply from below')
  await settled(first, id, 'ready')
  const side = (await first.dialogs.tree(id))[1]?.id ?? ''
  await first.dialogs.say(id, 'ask zebra', mia())
  await settled(first, id, 'waiting')
  const question = (await first.inbox()).items[0]?.question.id ?? ''
  const kept = await first.dialogs.open({ text: 'hang on' }, mia())
  await settled(first, kept.id, 'working')

  await assert.rejects(first.dialogs.delete(kept.id, mia()), refusedWith('dialog_working'))
  await assert.rejects(first.dialogs.delete(side, mia()), refusedWith('not_deletable'))
  await first.questions.answer(question, { answers: { z: 'zebra' }, undoSeconds: 60 }, mia())
  await assert.rejects(first.dialogs.delete(id, mia()), refusedWith('dialog_working'))
  await first.questions.withdrawAnswer(question, mia())
  release()
  await settled(first, kept.id, 'ready')
  await first.close(1_000)
  const sums = await store.rows({ view: budgetView, limit: 50 })
  assert.ok(sums.some(({ key }) => key.includes(id)))

  // A process that runs no work commits the deletion and ends: the files are still there.
  const web = openParley({ store, team: team(), files, works: false })
  assert.deepEqual(await web.dialogs.delete(id, mia('k1')), { count: 2 })
  assert.deepEqual(await web.dialogs.delete(id, mia('k1')), { count: 2 }, 'repeated with its key')
  for (const dialog of [id, side]) {
    await assert.rejects(web.dialogs.get(dialog), refusedWith('dialog_deleted'))
    await assert.rejects(web.dialogs.say(dialog, 'hello?', mia()), refusedWith('dialog_deleted'))
    assert.deepEqual(
      (await web.events.read({ stream: dialog, after: 0, limit: 100 })).map(({ type }) => type),
      ['dialog.deleted'],
    )
  }
  await assert.rejects(web.questions.get(question), refusedWith('question_not_found'))
  assert.deepEqual(
    (await web.dialogs.list()).items.map((each) => each.id),
    [kept.id],
  )
  assert.deepEqual((await web.inbox()).count, 0)
  await web.close(1_000)
  assert.ok(await files.read(own.file))

  const last = openParley({ store, team: team(), files })
  await eventually(async () => (await files.read(own.file)) === null, 'the file goes')
  assert.deepEqual(await store.rows({ view: budgetView, limit: 50 }), sums, 'what it has cost stays')
  await eventually(async () => (await store.nextDue('file-removal')) === null, 'no work is left')
  for (const view of foldedViews) {
    if (view === budgetView || view === ownDialogView) continue
    for (const row of await store.rows({ view, limit: 500 })) assert.doesNotMatch(JSON.stringify(row), new RegExp(`zebra|${id}|${side}`))
  }
  await last.close(1_000)
  await store.close()

  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'once'`).all() as { name: string }[]
  assert.ok(tables.length > 4)
  for (const { name } of tables)
    for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
      const text = JSON.stringify(row)
      if (!text.includes(kept.id)) assert.doesNotMatch(text, /zebra/, `${name} has words of it`)
    }
  database.close()
})
