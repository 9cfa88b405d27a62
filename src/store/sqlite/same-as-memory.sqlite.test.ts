import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertSameAsMemory } from '../test/same-as-memory.ts'
import { sqliteStore } from './sqlite-store.ts'

test('any sequence of calls gives the same answers from a file as from memory', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-same-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await assertSameAsMemory(40, (round) => (owner, clock) => sqliteStore({ path: join(folder, `${round}.db`), owner, clock }))
})
