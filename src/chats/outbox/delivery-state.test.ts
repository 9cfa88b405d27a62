import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { DeliveryEvent } from './delivery-events.ts'
import { deliveryView } from './delivery-rows.ts'
import { type DeliveryState, evolveDelivery, initialDelivery, isComplete } from './delivery-state.ts'

const pinned: ReplyPayload = { text: 'hi', delivery: { pin: { enabled: true, required: true } } }
const planned = (message: ReplyPayload = { text: 'hi' }, isDraft = false): DeliveryEvent => ({
  type: 'delivery.planned',
  at: 1,
  data: {
    delivery: 'd',
    channel: 'c',
    address: 'a',
    message,
    order: 1,
    staleAt: 99,
    mayTap: 'anyone',
    about: null,
    ...(isDraft && { isDraft: true as const }),
  },
})
const intended = (part = 0, parts = 1, hasControls = false): DeliveryEvent => ({
  type: 'delivery.intended',
  at: 2 + part,
  data: { part, parts, key: `k${part}`, isRepeatable: false, hasControls, losses: [], controls: [], controlsUntil: 9 },
})
const sent = (part = 0): DeliveryEvent => ({ type: 'delivery.sent', at: 5, data: { part, messageId: `m${part + 1}`, sentAt: 5 } })
const postponed = (isTry: boolean, maybeSent = false): DeliveryEvent => ({
  type: 'delivery.postponed',
  at: 6,
  data: { until: 50, why: 'slow', isTry, maybeSent },
})
const edited: DeliveryEvent = {
  type: 'delivery.edited',
  at: 7,
  data: { message: { text: 'other' }, orSend: true, order: 2, staleAt: 199 },
}
const fold = (...events: DeliveryEvent[]): DeliveryState => events.reduce(evolveDelivery, initialDelivery)

test('delivery: it is sent when its last part is there', () => {
  const first = fold(planned(), intended(0, 2), sent(0))
  assert.deepEqual([first.status, first.done, isComplete(first)], ['open', 1, false])
  const both = evolveDelivery(evolveDelivery(first, intended(1, 2)), sent(1))
  assert.deepEqual([both.status, both.done, isComplete(both)], ['sent', 2, true])
})

test('delivery: only tries count as tries, and a part that arrives clears them', () => {
  const state = fold(planned(), intended(), postponed(true), intended(), postponed(false))
  assert.deepEqual([state.tries, state.notBefore, state.postponedAt, state.why, state.intended], [1, 50, 6, 'slow', null])
  const there = fold(planned(), intended(), postponed(true), intended(), sent())
  assert.deepEqual([there.tries, there.notBefore, there.why, there.maybe], [0, 0, null, null])
})

test('delivery: it remembers until when the key of an unclear part is known', () => {
  assert.equal(fold(planned(), intended(), postponed(true)).maybe, null)
  const maybe = fold(planned(), intended(), postponed(true, true))
  assert.deepEqual(maybe.maybe, { keyUntil: 2 + 5 * 60_000, revision: 0 })
  const again = [intended(0), { ...intended(0), at: 8 }]
  assert.deepEqual(fold(planned(), ...again).maybe, { keyUntil: 2 + 5 * 60_000, revision: 0 }, 'asked twice, so the first may have arrived')
  assert.equal(fold(planned(), ...again).intended?.at, 8)
})

test('delivery: an edit begins again with the new text', () => {
  const stuck: DeliveryEvent = { type: 'delivery.failed', at: 6, data: { code: 'forbidden', why: 'blocked' } }
  const dismissed: DeliveryEvent = { type: 'delivery.dismissed', at: 7, data: { by: 'owner' } }
  const state = fold(planned(), intended(), postponed(true), intended(), stuck, dismissed, edited)
  assert.deepEqual(
    [state.status, state.done, state.total, state.plain, state.tries, state.notBefore, state.why, state.isDismissed],
    ['open', 0, null, null, 0, 0, null, false],
  )
  assert.deepEqual([state.revision, state.order, state.staleAt, state.orSend, state.message], [1, 2, 199, true, { text: 'other' }])
})

test('delivery: an edit pins a message that is not there yet, and leaves the pin of one that is', () => {
  const withPin: DeliveryEvent = { type: 'delivery.edited', at: 7, data: { message: pinned, orSend: false, order: 2, staleAt: 9 } }
  assert.equal(fold(planned(), withPin).pin, 'wanted')
  assert.equal(fold(planned(pinned), edited).pin, 'none')
  assert.equal(fold(planned(), intended(), sent(), withPin).pin, 'none')
})

test('delivery: a receipt of the text before an edit does not count for the new text', () => {
  const state = fold(planned(), intended(), edited, sent())
  assert.deepEqual([state.status, state.done, state.shown.length], ['open', 0, 1])
})

test('delivery: an edit clears the doubt about a draft, and about nothing else', () => {
  const unknown: DeliveryEvent = { type: 'delivery.unknown', at: 6, data: { part: 0, why: 'silence' } }
  assert.equal(fold(planned({ text: 'half' }, true), intended(), unknown, edited).intended, null)
  assert.equal(fold(planned({ text: 'half' }, true), intended(), edited).intended?.key, 'k0', 'it is being sent now')
  assert.equal(fold(planned(), intended(), unknown, edited).intended?.key, 'k0')
})

test('delivery: a required pin that failed leaves it partly sent, until it is pinned, tried again or dismissed', () => {
  const failed: DeliveryEvent = { type: 'delivery.pin-failed', at: 6, data: { why: 'no rights', isRequired: true } }
  const partly = fold(planned(pinned), intended(), sent(), failed)
  assert.deepEqual([partly.status, partly.pin, partly.why, partly.tries], ['partly-sent', 'failed', 'no rights', 0])
  assert.equal(fold(planned({ text: 'hi', delivery: { pin: true } }), intended(), sent(), failed).status, 'sent')
  const byHand = evolveDelivery(partly, { type: 'delivery.pinned', at: 7, data: { messageId: 'm1' } })
  assert.deepEqual([byHand.status, byHand.pin, byHand.pinned, byHand.why], ['sent', 'pinned', ['m1'], null])
  const twice = evolveDelivery(byHand, { type: 'delivery.pinned', at: 8, data: { messageId: 'm1' } })
  assert.deepEqual(twice.pinned, ['m1'])
  const gone = evolveDelivery(byHand, { type: 'delivery.unpinned', at: 8, data: { messageId: 'm1' } })
  assert.deepEqual([gone.pin, gone.pinned], ['none', []])
  const retried = evolveDelivery(partly, { type: 'delivery.retried', at: 8, data: { by: 'owner', order: 3, staleAt: 200 } })
  assert.deepEqual([retried.status, retried.pin, retried.order, retried.staleAt], ['open', 'wanted', 3, 200])
  const dismissed = evolveDelivery(partly, { type: 'delivery.dismissed', at: 8, data: { by: 'owner' } })
  assert.deepEqual([dismissed.status, dismissed.isDismissed], ['dismissed', true])
})

test('delivery: a pin by hand does not change a delivery that is stuck', () => {
  const pin: DeliveryEvent = { type: 'delivery.pinned', at: 9, data: { messageId: 'm1' } }
  const ends: DeliveryEvent[] = [
    { type: 'delivery.failed', at: 6, data: { code: 'forbidden', why: 'blocked' } },
    { type: 'delivery.parked', at: 6, data: { reason: 'tries', why: 'tried 8 times' } },
    { type: 'delivery.unknown', at: 6, data: { part: 1, why: 'silence' } },
  ]
  for (const end of ends) {
    const stuck = fold(planned(pinned), intended(0, 1), sent(), end)
    const state = evolveDelivery(stuck, pin)
    assert.deepEqual([state.status, state.why, state.pin], [stuck.status, stuck.why, 'pinned'], end.type)
  }
})

test('delivery: a tap on the last control takes controls away, and a reusable one does not', () => {
  const tapped = (closes: boolean): DeliveryEvent => ({
    type: 'control.tapped',
    at: 8,
    data: { tap: 't1', token: 'x', by: '7', byName: 'Mia', order: 4, closes },
  })
  const there = fold(planned(), intended(0, 1, true), sent())
  assert.equal(evolveDelivery(there, tapped(false)), there)
  const closed = evolveDelivery(there, tapped(true))
  assert.deepEqual([closed.status, closed.toStrip, closed.order, closed.closedBy?.name], ['open', ['m1'], 4, 'Mia'])
  const stripped = evolveDelivery(closed, { type: 'delivery.stripped', at: 9, data: { messageId: 'm1', why: null } })
  assert.deepEqual([stripped.status, stripped.toStrip, stripped.shown[0]?.hasControls], ['sent', [], false])
  const yes = { label: 'Yes', value: 'yes' }
  const reusable = { text: 'hi', presentation: { blocks: [{ type: 'buttons' as const, buttons: [yes, { ...yes, reusable: true }] }] } }
  const withButtons = fold(planned(reusable), intended(0, 1, true), sent())
  assert.deepEqual(
    [withButtons.revision, evolveDelivery(withButtons, tapped(true)).revision],
    [0, 1],
    'the rest of the controls is one change',
  )
  const early = fold(planned(), intended(0, 1, true), tapped(true))
  assert.deepEqual([early.order, early.toStrip], [1, []])
  assert.deepEqual(evolveDelivery(early, sent()).toStrip, ['m1'], 'a tap can be faster than the receipt')
})

test('delivery: a refused edit forgets this part and the following', () => {
  const state = fold(planned(), intended(0, 2), sent(0), intended(1, 2), sent(1), edited, intended(1, 2), {
    type: 'delivery.edit-refused',
    at: 9,
    data: { part: 1, why: 'too old' },
  })
  assert.deepEqual([state.shown.map(({ messageId }) => messageId), state.total, state.why], [['m1'], null, 'too old'])
})

test('deliveryView: a text of exactly the limit is shown whole, a longer one is cut', () => {
  const text = (length: number): string => deliveryView(fold(planned({ text: 'x'.repeat(length) }))).text
  assert.equal(text(200), 'x'.repeat(200))
  assert.equal(text(201), `${'x'.repeat(200)}…`)
})
