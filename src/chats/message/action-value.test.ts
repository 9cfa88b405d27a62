import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type TappableAction, decodeAction, encodeAction, encodeToken } from './action-value.ts'

const words = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('p1:t:x', 'p1:', 'a:b:c', '%41'))

const plain = { noNullPrototype: true }

const actionsByType = {
  callback: words.map((value) => ({ type: 'callback' as const, value })),
  command: words.map((command) => ({ type: 'command' as const, command })),
  question: fc.record({ type: fc.constant('question' as const), questionId: words, optionValue: words }, plain),
  approval: fc.record(
    {
      type: fc.constant('approval' as const),
      approvalId: words,
      approvalKind: fc.constantFrom('exec' as const, 'plugin' as const),
      decision: fc.constantFrom('allow-once' as const, 'allow-always' as const, 'deny' as const),
    },
    plain,
  ),
  plugin: fc.record({ type: fc.constant('plugin' as const), plugin: words, value: words }, plain),
} satisfies Record<TappableAction['type'], fc.Arbitrary<TappableAction>>
const actions: fc.Arbitrary<TappableAction> = fc.oneof(...Object.values(actionsByType))

test('every action comes back from its value as it was', () => {
  fc.assert(
    fc.property(actions, (action) => assert.deepEqual(decodeAction(encodeAction(action)), { action })),
    { numRuns: 1_000 },
  )
})

test('a token is not an action, and no callback value can pretend to be one', () => {
  assert.deepEqual(decodeAction(encodeToken('abc')), { token: 'abc' })
  assert.notEqual(encodeAction({ type: 'callback', value: 'p1:t:abc' }), encodeToken('abc'))
})

test('anything may come back from outside', () => {
  for (const value of ['p1:', 'p1:t:', 'p1:q:', 'p1:q::x', 'p1:q:%:x', 'p1:g::x', 'p1:g:x', 'p1:a:99:x', 'p1:a:', 'p1:z:x'])
    assert.deepEqual(decodeAction(value), { unreadable: true })
  fc.assert(fc.property(fc.string(), (value) => void decodeAction(value)))
})
