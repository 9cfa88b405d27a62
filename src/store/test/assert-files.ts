import assert from 'node:assert/strict'
import type { Files } from '../../ports/files.ts'

/** Every place for files passes this, beginning empty. */
export async function assertFiles(files: Files): Promise<void> {
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
}
