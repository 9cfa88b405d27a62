import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyChange, changeBetween } from './json-change.ts'

/** As it comes back from the log. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

test('any JSON value becomes any other by the change between them', (t) => {
  let smaller = 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
      const [before, after] = [stored(one), stored(other)]
      assert.deepEqual(applyChange(before, stored(changeBetween(before, after))), after)
      assert.equal(changeBetween(after, stored(after)), null)
      const grown = { kept: before, list: [before, 1, after] }
      const next = { kept: before, list: [before, 1, { more: after }] }
      assert.deepEqual(applyChange(grown, stored(changeBetween(grown, next))), next)
      if (JSON.stringify(changeBetween(grown, next)).length < JSON.stringify(next).length) smaller += 1
    }),
    { numRuns: 500 },
  )
  t.diagnostic(`${smaller} of 500 changes are smaller than the value`)
  assert.ok(smaller > 50)
})

test('a list that grows at its end and loses its start costs little more than what is new', () => {
  const before = { seen: Array.from({ length: 100 }, (_, index) => `u:${index}`), title: 'a' }
  const after = { seen: [...before.seen, 'u:100'], title: 'a' }
  assert.deepEqual(changeBetween(before, after), { in: { seen: { at: 100, cut: 0, put: ['u:100'] } } })
  const { title: _, ...bare } = after
  assert.deepEqual(changeBetween(after, bare), { in: {}, without: ['title'] })
})

test('names that objects already have are names like others', () => {
  const before = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown
  const after = JSON.parse('{"__proto__":{"a":2},"toString":3}') as unknown
  assert.deepEqual(applyChange(before, changeBetween(before, after)), after)
})
