import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlace } from './use-place.ts'

test('readPlace: an item before a course, and nothing else', () => {
  const read = (path: string): unknown => readPlace(new URL(path, 'http://x'))
  assert.deepEqual(read('/c/d#msg_1'), { item: 'msg_1' })
  assert.deepEqual(read('/c/d#a%20b'), { item: 'a b' })
  assert.deepEqual(read('/c/d#100%'), { item: '100%' })
  assert.deepEqual(read('/c/d?course=2'), { course: 2 })
  assert.deepEqual(read('/c/d?course=2#msg_1'), { item: 'msg_1' })
  for (const path of ['/c/d', '/c/d#', '/c/d?course=0', '/c/d?course=-1', '/c/d?course=x', '/c/d?course=1e9'])
    assert.equal(read(path), null, path)
})
