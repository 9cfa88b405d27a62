import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberFrame } from './frames.ts'
import { checkScope } from './scope.ts'

const reply = {
  type: 'reply',
  id: 'm1',
  deliveryId: 'crq_1.d1',
  chatRequestId: 'crq_1',
  payload: { text: 'x' },
  author: 'agent',
  asksOwner: false,
  asksEnd: false,
  link: { turn: 1, previous: 'a'.repeat(64), hash: 'b'.repeat(64), signature: null },
} as const

test('scope: ids that are named several times must agree', () => {
  assert.equal(checkScope(reply), null)
  assert.equal(checkScope({ ...reply, metadata: { deliveryId: 'crq_1.d1', chatRequestId: 'crq_1' } }, { accountId: 'agt_1' }), null)
  const wrong: [object, string][] = [
    [{ metadata: { deliveryId: 'crq_1.d2' } }, 'relay_delivery_scope_mismatch'],
    [{ payload: { text: 'x', chatRequestId: 'crq_2' } }, 'relay_request_scope_mismatch'],
    [{ turnId: 'crq_1.t1', metadata: { turnId: 'crq_1.t2' } }, 'relay_turn_scope_mismatch'],
    [{ sessionKey: 'a', metadata: { sessionKey: 'b' } }, 'relay_session_scope_mismatch'],
    [{ accountId: 'agt_2' }, 'relay_account_scope_mismatch'],
    [{ metadata: { deliveryId: 7 } }, 'relay_delivery_scope_mismatch'],
  ]
  for (const [change, code] of wrong)
    assert.equal(checkScope({ ...reply, ...change }, { accountId: 'agt_1' })?.refused.code, code, JSON.stringify(change))
})

test('scope: a delivery and a turn belong to the request that is named with them', () => {
  assert.equal(checkScope({ ...reply, deliveryId: 'crq_2.d1' })?.refused.code, 'relay_delivery_scope_mismatch')
  assert.equal(checkScope({ ...reply, deliveryId: 'crq_12.d1' })?.refused.code, 'relay_delivery_scope_mismatch')
  assert.equal(checkScope({ ...reply, turnId: 'crq_2.t1' })?.refused.code, 'relay_turn_scope_mismatch')
})

test('frames: unknown types, unknown fields and oversized values are refused', () => {
  assert.ok(memberFrame.safeParse(reply).success)
  for (const bad of [
    null,
    {},
    { type: 'shutdown' },
    { ...reply, extra: 1 },
    { ...reply, deliveryId: '' },
    { ...reply, payload: { text: 'x'.repeat(20_001) } },
    { ...reply, link: { ...reply.link, turn: 0 } },
    { ...reply, link: { ...reply.link, hash: 'g'.repeat(64) } },
    { type: 'command', id: 'm1', operation: '__proto__', input: {} },
  ])
    assert.ok(!memberFrame.safeParse(bad).success, JSON.stringify(bad)?.slice(0, 80))
})
