import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, print, short } from './figure.ts'
import { trimmed } from './trimmed.ts'

test('a figure that was not measured is a fault, not a line', () => {
  for (const value of [Number.NaN, Infinity, -1]) {
    assert.throws(() => print({ bench: 'x', figure: 'y', value, unit: 'ms' }), /nothing was measured/)
  }
  for (const floor of [0, Number.NaN])
    assert.throws(() => print({ bench: 'x', figure: 'y', value: 1, unit: 'ms', floor }), /floor was not measured/)
})

test('the median of nothing is no number, so that it cannot be printed', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(Number.isNaN(median([])), true)
})

test('figures keep three digits', () => {
  assert.deepEqual([0.012345, 1.2345, 123.45, 12345.6].map(short), [0.0123, 1.23, 123, 12346])
})

test('trimmed: values at the ends count neither for the mean nor more than once for its range', () => {
  const { mean, half } = trimmed([1, 1, 2, 2, 3, 3, 3, 3, 4, 1_000])
  assert.equal(mean, 16 / 6)
  assert.ok(half > 0.2 && half < 1.5, String(half))
  assert.equal(trimmed([2, 2, 2, 2, 2]).half, 0)
})
