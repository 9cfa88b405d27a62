import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '../store/memory/memory-store.ts'
import { leftRunning, markedKey, markRunning, runningView, unmarkRunning } from './running-mark.ts'

test('running mark: a second claim finds the mark of the first until it is removed', async () => {
  const store = memoryStore()
  const work = { kind: 'turn', key: 'dlg/1' }
  const mark = { owner: 'o', at: 5, note: 'model call' }
  await store.commit([{ rows: markRunning(work, { ...mark, group: 'g' }) }])
  assert.equal(await leftRunning(store, { ...work, attempts: 1 }), null, 'a first claim has no predecessor')
  assert.deepEqual(await leftRunning(store, { ...work, attempts: 2 }), mark)
  assert.equal(await leftRunning(store, { kind: 'turn', key: 'other', attempts: 2 }), null)
  const row = await store.row(runningView, 'turn/dlg/1')
  assert.equal(row && markedKey(row.key), 'dlg/1')
  await store.commit([{ rows: unmarkRunning(work) }])
  assert.equal(await leftRunning(store, { ...work, attempts: 2 }), null)
})
