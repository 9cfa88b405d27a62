import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'
import { documentCases } from './test/document-cases.ts'

for (const { name, run } of documentCases)
  test(`SQLite: ${name}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-documents-'))
    const store = sqliteStore({ path: join(folder, 'parley.db') })
    t.after(async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })
    await run(async () => store)
  })
