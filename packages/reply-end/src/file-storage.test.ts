import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { emptyControls } from './control-record.ts'
import { fileEndStorage } from './file-storage.ts'
import { memoryEndStorage } from './storage.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'end-controls-'))
})
after(() => rm(folder, { recursive: true }))

const controls = (conversation: string, choiceUpdate = 0) => ({ ...emptyControls(conversation), choiceUpdate })

test('memory and file: the first to put wins, the second is told', async () => {
  const file = await fileEndStorage(join(folder, 'both', 'ends.jsonl'))
  for (const storage of [memoryEndStorage(), file]) {
    assert.equal(await storage.get('a'), null)
    const both = await Promise.all([storage.put(controls('a', 1), 0), storage.put(controls('a', 2), 0)])
    assert.deepEqual(both, [true, false])
    assert.deepEqual(await storage.get('a'), { controls: controls('a', 1), rev: 1 })
    assert.equal(await storage.put(controls('a', 3), 1), true)
    assert.deepEqual(await storage.conversations(), ['a'])
  }
  await file.close()
})

test('a file is read again after a kill, without the line that was half written', async () => {
  const path = join(folder, 'killed.jsonl')
  const first = await fileEndStorage(path)
  await first.put(controls('a', 1), 0)
  await first.put(controls('b', 1), 0)
  await first.put(controls('a', 2), 1)
  await first.close()
  await appendFile(path, '{"controls":{"conversation":"a","rec')
  const second = await fileEndStorage(path)
  assert.deepEqual(await second.get('a'), { controls: controls('a', 2), rev: 2 })
  await second.put(controls('a', 3), 2)
  await second.close()
  const third = await fileEndStorage(path)
  assert.equal((await third.get('a'))?.controls.choiceUpdate, 3)
  assert.equal((await third.get('b'))?.rev, 1)
  await third.close()
})

test('a file does not grow with every change', async () => {
  const path = join(folder, 'long.jsonl')
  const storage = await fileEndStorage(path)
  for (let count = 0; count < 1_050; count += 1) await storage.put(controls('a', count), count)
  await storage.close()
  assert.ok((await readFile(path, 'utf8')).split('\n').length < 100)
  const again = await fileEndStorage(path)
  assert.deepEqual(await again.get('a'), { controls: controls('a', 1_049), rev: 1_050 })
  await again.close()
})
