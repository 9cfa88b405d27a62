import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { systemClock } from '../ports/clock.ts'
import { folderFiles } from './folder-files.ts'
import { assertFiles } from './test/assert-files.ts'
import { memoryFiles } from './memory/memory-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-files-'))
after(() => rmSync(dir, { recursive: true }))

for (const [name, files] of [
  ['a folder', folderFiles(join(dir, 'files'))],
  ['memory', memoryFiles(systemClock)],
] as const)
  describe(`files in ${name}`, () => {
    test('are read as they were written, listed in pages and removed', () => assertFiles(files))
  })

test('folderFiles: an id never leaves the folder, and what a crash left half written is listed and removed', async () => {
  const files = folderFiles(join(dir, 'files'))
  writeFileSync(join(dir, 'secret'), 'key')
  assert.equal(await files.read('../secret'), null)
  await assert.rejects(files.write('../secret', Buffer.from('x')))
  writeFileSync(join(dir, 'files', 'file_z.new'), 'half')
  assert.ok((await files.list('', 100)).some(({ file }) => file === 'file_z.new'))
  assert.equal(await files.read('file_z.new'), null)
  await files.remove('file_z.new')
  assert.ok((await files.list('', 100)).every(({ file }) => file !== 'file_z.new'))
})
