import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { systemClock } from '../ports/clock.ts'
import { folderFiles } from './folder-files.ts'
import { memoryFiles } from './memory/memory-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-files-'))
after(() => rmSync(dir, { recursive: true }))

for (const [name, files] of [
  ['a folder', folderFiles(join(dir, 'files'))],
  ['memory', memoryFiles(systemClock)],
] as const)
  describe(`files in ${name}`, () => {
    test('are read as they were written, listed in pages and removed', async () => {
      assert.deepEqual(await files.list('', 10), [])
      assert.equal(await files.read('file_a'), null)
      const bytes = Buffer.from([0, 255, 10, 13])
      for (const id of ['file_b', 'file_a', 'file_c']) await files.write(id, bytes)
      assert.deepEqual(Buffer.from((await files.read('file_a')) ?? []), bytes)
      assert.deepEqual(
        (await files.list('', 2)).map(({ file }) => file),
        ['file_a', 'file_b'],
      )
      assert.ok(Math.abs(((await files.list('file_b', 2))[0]?.at ?? 0) - Date.now()) < 60_000)
      await files.remove('file_b')
      await files.remove('file_b')
      assert.equal(await files.read('file_b'), null)
    })
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
