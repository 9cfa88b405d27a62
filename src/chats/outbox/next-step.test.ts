import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryLimits } from './delivery-limits.ts'
import { type DeliveryState, initialDelivery } from './delivery-state.ts'
import { nextStep } from './next-step.ts'

const now = 1_000_000
const window = deliveryLimits.repeatKeyWithinMs
const open: DeliveryState = { ...initialDelivery, status: 'open', staleAt: now }
const intended = {
  part: 0,
  revision: 0,
  key: 'k',
  at: now,
  isRepeatable: true,
  hasControls: false,
  medium: null,
  isDraft: false,
  keyUntil: now + window,
  covers: 1,
}
const part = (messageId: string) => ({ messageId, sentAt: 1, hasControls: false, medium: null })
const step = (more: Partial<DeliveryState>, at = now) => nextStep({ ...open, ...more }, at)

test('nextStep: only an open delivery has work', () => {
  for (const status of ['absent', 'sent', 'failed', 'parked', 'unknown', 'dismissed', 'partly-sent'] as const)
    assert.deepEqual(step({ status }), { does: 'rest' }, status)
  assert.deepEqual(step({}), { does: 'part', again: false })
})

test('nextStep: an interrupted request is repeated only under a key that is still known', () => {
  const again = { does: 'part', again: true }
  const giveUp = { does: 'give-up' }
  assert.deepEqual(step({ intended }), again)
  assert.deepEqual(step({ intended: { ...intended, isRepeatable: false } }), giveUp)
  assert.deepEqual(step({ intended: { ...intended, keyUntil: now } }), again)
  assert.deepEqual(step({ intended: { ...intended, keyUntil: now - 1 } }), giveUp)
  assert.deepEqual(step({ intended, revision: 1 }), giveUp)
  assert.deepEqual(step({ intended, maybe: { keyUntil: now - 1, revision: 0 } }), giveUp)
  const old = { ...intended, keyUntil: now - 1 }
  assert.deepEqual(step({ intended: old, shown: [part('m1')] }), again, 'an edit can always be repeated')
  assert.deepEqual(step({ intended: { ...old, isRepeatable: false }, shown: [part('m1')] }), giveUp)
})

test('nextStep: an unclear part is given up when its key is too old or its text has changed', () => {
  assert.deepEqual(step({ maybe: { keyUntil: now, revision: 0 } }), { does: 'part', again: false })
  assert.deepEqual(step({ maybe: { keyUntil: now - 1, revision: 0 } }), { does: 'give-up' })
  assert.deepEqual(step({ maybe: { keyUntil: now + window, revision: 0 }, revision: 1 }), { does: 'give-up' })
})

test('nextStep: a postponed delivery waits, unless the clock was set back', () => {
  const waiting = { notBefore: now + 5, postponedAt: now - 1, staleAt: now + 9 }
  assert.deepEqual(step(waiting), { does: 'wait', until: now + 5 })
  assert.deepEqual(step({ ...waiting, postponedAt: now }), { does: 'wait', until: now + 5 })
  assert.deepEqual(step(waiting, now + 5), { does: 'part', again: false })
  assert.deepEqual(step({ ...waiting, postponedAt: now + 1 }), { does: 'part', again: false })
})

test('nextStep: a part that waited too long is parked, or given up when it may be there', () => {
  assert.deepEqual(step({}, now), { does: 'part', again: false })
  assert.deepEqual(step({}, now + 1), { does: 'park' })
  assert.deepEqual(step({ maybe: { keyUntil: now + window, revision: 0 } }, now + 1), { does: 'give-up' })
  assert.deepEqual(step({ total: 2, done: 1, shown: [part('m1')] }, now + 1), { does: 'park' })
})

test('nextStep: when all parts are there, extra messages go, then controls, then the pin is set', () => {
  const there = { total: 1, done: 1, shown: [part('m1')] }
  assert.deepEqual(step(there), { does: 'rest' })
  assert.deepEqual(step(there, now + 1), { does: 'rest' }, 'nothing is stale any more')
  const busy = { ...there, shown: [part('m1'), part('m2')], toStrip: ['m1'], pin: 'wanted' as const }
  assert.deepEqual(step(busy), { does: 'remove', messageId: 'm2' })
  assert.deepEqual(step({ ...busy, shown: [part('m1')] }), { does: 'strip', messageId: 'm1' })
  assert.deepEqual(step({ ...there, pin: 'wanted' }), { does: 'pin', messageId: 'm1' })
  for (const pin of ['none', 'pinned', 'failed'] as const) assert.deepEqual(step({ ...there, pin }), { does: 'rest' }, pin)
})

test('nextStep: controls wait for the change that a tap announced, unless others wait behind or the clock was set back', () => {
  const closedBy = { tap: 't', token: 'x', name: 'Ada', at: now }
  const tapped = { done: 1, total: 1, shown: [part('m1')], toStrip: ['m1'], stripAt: now + 500, closedBy }
  const strip = { does: 'strip', messageId: 'm1' }
  assert.deepEqual(step(tapped), { does: 'wait', until: now + 500 })
  assert.deepEqual(step(tapped, now + 499), { does: 'wait', until: now + 500 })
  assert.deepEqual(step(tapped, now + 500), strip)
  assert.deepEqual(step(tapped, now - 1), strip)
  assert.deepEqual(nextStep({ ...open, ...tapped }, now, false), strip)
})
