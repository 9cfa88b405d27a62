import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageSize, readCursor, writeCursor } from './paging.ts'

test('readCursor: reads what writeCursor wrote', () => {
  for (const cursor of [
    { sort: 1_700_000_000_000, key: 'dialog_1' },
    { sort: 0, key: 'a~b' },
    { sort: -1, key: 'q' },
  ])
    assert.deepEqual(readCursor(writeCursor(cursor)), cursor)
  assert.equal(readCursor(undefined), undefined)
})

test('readCursor: refuses anything else', () => {
  for (const after of ['', 'abc', '~', '1~', '~a', 'NaN~a', '1e3~a', 'Infinity~a'])
    assert.throws(() => readCursor(after), { code: 'bad_request' }, after)
})

test('pageSize: 50 unless set, 200 at most', () => {
  assert.deepEqual([pageSize(), pageSize(10), pageSize(10_000)], [50, 10, 200])
})
