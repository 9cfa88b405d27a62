import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../errors.ts'
import { isBusy, storeFault } from './store-fault.ts'

const sqliteError = (errcode: number): Error => Object.assign(new Error('from below'), { code: 'ERR_SQLITE_ERROR', errcode })

const expected: [number, string, string, boolean][] = [
  [5, 'busy', 'store_locked', true],
  [5 | (1 << 8), 'busy, recovering', 'store_locked', true],
  [6, 'locked', 'store_locked', true],
  [11, 'corrupt', 'store_damaged', false],
  [26, 'not a database', 'store_damaged', false],
  [13, 'disk full', 'store_unwritable', true],
  [10 | (4 << 8), 'fsync failed', 'store_unwritable', true],
  [8, 'read-only', 'store_unwritable', false],
  [14, 'cannot open', 'store_unwritable', false],
]

for (const [errcode, name, code, retryable] of expected) {
  test(`SQLite's "${name}" becomes ${code}`, () => {
    const below = sqliteError(errcode)
    const fault = storeFault(below)
    assert.ok(fault instanceof ParleyError)
    assert.equal(fault.code, code)
    assert.equal(fault.retryable, retryable)
    assert.equal(fault.cause, below)
    assert.match(fault.message, /from below/)
    assert.equal(isBusy(below), code === 'store_locked')
  })
}

test('what is not about the file stays what it is', () => {
  for (const error of [new TypeError('ours'), sqliteError(1), new ParleyError('store_closed'), 'text'])
    assert.equal(storeFault(error), error)
})
