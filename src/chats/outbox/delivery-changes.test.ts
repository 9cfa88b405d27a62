import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryEvent } from './delivery-events.ts'
import { type DeliveryState, evolveDelivery, initialDelivery } from './delivery-state.ts'

const part = (messageId: string, hasControls = false) => ({ messageId, sentAt: 5, hasControls, medium: null })
const intention = {
  part: 0,
  revision: 3,
  key: 'k',
  at: 20,
  isRepeatable: true,
  hasControls: true,
  medium: 'photo',
  isDraft: false,
  keyUntil: 5 * 60_000,
  covers: 1,
}
/** A delivery of which every field differs from a new one, so that whatever an event resets is seen. */
const worn: DeliveryState = {
  status: 'open',
  delivery: 'd',
  channel: 'c',
  address: 'a',
  message: { text: 'hi' },
  revision: 3,
  orSend: true,
  orKeep: true,
  order: 7,
  plannedAt: 1,
  staleAt: 99,
  mayTap: ['7'],
  about: 'question:q',
  reply: { dialog: 'dlg', turn: 2 },
  isDraft: true,
  shown: [part('m1', true), part('m2')],
  plain: 'too odd',
  done: 1,
  total: 3,
  unclear: [],
  resend: [],
  reached: 0,
  intended: null,
  maybe: { keyUntil: 10, revision: 3 },
  tries: 4,
  notBefore: 50,
  postponedAt: 40,
  why: 'slow',
  losses: [{ what: 'tone', from: 'danger', to: 'none', why: 'no colours' }],
  pin: 'failed',
  pinned: ['m2'],
  isDismissed: true,
  closedBy: { tap: 't0', token: 'x', name: 'Ada', at: 9 },
  stripsAll: true,
  toStrip: ['m1'],
  stripAt: 30,
}
const asked: DeliveryState = { ...worn, intended: intention, maybe: null }
const all: DeliveryState = { ...worn, done: 2, total: 2, toStrip: [], pin: 'none', status: 'sent' }

/** The fields that an event changes, with their new values. */
function changes(before: DeliveryState, event: DeliveryEvent): Partial<DeliveryState> {
  const after = evolveDelivery(before, event)
  const fields = Object.keys(after) as (keyof DeliveryState)[]
  return Object.fromEntries(fields.flatMap((field) => (same(before[field], after[field]) ? [] : [[field, after[field]]])))
}
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const settledNow = { tries: 0, notBefore: 0 }

test('delivery: a planned one has nothing behind it but its plan', () => {
  const plan = { delivery: 'd', channel: 'c', address: 'a', message: { text: 'hi' }, order: 1, staleAt: 99 }
  const event: DeliveryEvent = { type: 'delivery.planned', at: 4, data: { ...plan, mayTap: 'anyone', about: 'question:q' } }
  const state: DeliveryState = {
    ...plan,
    status: 'open',
    revision: 0,
    orSend: false,
    orKeep: false,
    plannedAt: 4,
    mayTap: 'anyone',
    about: 'question:q',
    reply: null,
    isDraft: false,
    shown: [],
    plain: null,
    done: 0,
    total: null,
    unclear: [],
    resend: [],
    reached: 0,
    intended: null,
    maybe: null,
    tries: 0,
    notBefore: 0,
    postponedAt: 0,
    why: null,
    losses: [],
    pin: 'none',
    pinned: [],
    isDismissed: false,
    closedBy: null,
    stripsAll: false,
    toStrip: [],
    stripAt: 0,
  }
  assert.deepEqual(evolveDelivery(initialDelivery, event), state)
  const reply = { dialog: 'dlg', turn: 2 }
  const draft = evolveDelivery(initialDelivery, { ...event, data: { ...event.data, mayTap: ['7'], reply, isDraft: true } })
  assert.deepEqual(draft, { ...state, mayTap: ['7'], reply, isDraft: true })
})

test('delivery.intended: changes the intention, the number of parts and the losses alone', () => {
  const data = { part: 2, parts: 4, key: 'k2', isRepeatable: true, hasControls: true, losses: [], controls: [], controlsUntil: 9 }
  const intended = {
    part: 2,
    revision: 3,
    key: 'k2',
    at: 60,
    isRepeatable: true,
    hasControls: true,
    medium: null,
    isDraft: true,
    keyUntil: 60 + 5 * 60_000,
    covers: 1,
  }
  assert.deepEqual(changes(worn, { type: 'delivery.intended', at: 60, data }), { intended, total: 4, losses: [] })
  assert.deepEqual(changes(worn, { type: 'delivery.intended', at: 60, data: { ...data, medium: 'photo' } }).intended, {
    ...intended,
    medium: 'photo',
  })
  const again = { ...asked, intended: { ...intention, part: 2, revision: 2 } }
  assert.deepEqual(changes(again, { type: 'delivery.intended', at: 60, data }).maybe, { keyUntil: 5 * 60_000, revision: 2 })
  assert.equal(changes(asked, { type: 'delivery.intended', at: 60, data: { ...data, part: 0 } }).maybe, undefined, 'a change of a message')
  assert.equal(
    changes({ ...again, maybe: worn.maybe }, { type: 'delivery.intended', at: 60, data }).maybe,
    undefined,
    'the first doubt stays',
  )
})

test('delivery.sent: shows the part as it was intended, and a confirmation shows it as of now', () => {
  const state = { ...asked, shown: [], done: 0, stripsAll: false, maybe: worn.maybe }
  const common = { ...settledNow, intended: null, maybe: null, why: null, done: 1 }
  const shown = { messageId: 'm9', hasControls: true, medium: 'photo' }
  assert.deepEqual(changes(state, { type: 'delivery.sent', at: 60, data: { part: 0, messageId: 'm9', sentAt: 58 } }), {
    ...common,
    shown: [{ ...shown, sentAt: 58 }],
  })
  assert.deepEqual(changes({ ...state, status: 'unknown' }, { type: 'delivery.confirmed', at: 60, data: { part: 0, messageId: 'm9' } }), {
    ...common,
    status: 'open',
    shown: [{ ...shown, sentAt: 60 }],
  })
})

test('delivery.sent: without an intention a part keeps its controls and its medium, and a new one has none', () => {
  const there = { ...worn, shown: [{ ...part('m1', true), medium: 'photo' }] }
  const event = (at: number): DeliveryEvent => ({ type: 'delivery.sent', at: 60, data: { part: at, messageId: 'm1', sentAt: 58 } })
  assert.deepEqual(evolveDelivery(there, event(0)).shown, [{ messageId: 'm1', sentAt: 58, hasControls: true, medium: 'photo' }])
  assert.deepEqual(evolveDelivery(there, event(1)).shown[1], { messageId: 'm1', sentAt: 58, hasControls: false, medium: null })
  assert.equal(evolveDelivery(there, event(1)).done, worn.done, 'no part of this text is finished by it')
})

test('delivery.postponed: waits, and doubts the part only where it may be there', () => {
  const wait = (maybeSent: boolean, isTry = true): DeliveryEvent => ({
    type: 'delivery.postponed',
    at: 60,
    data: { until: 90, why: 'busy', isTry, maybeSent },
  })
  const common = { notBefore: 90, postponedAt: 60, why: 'busy' }
  assert.deepEqual(changes(asked, wait(false)), { ...common, intended: null, tries: 5 })
  assert.deepEqual(changes(asked, wait(false, false)), { ...common, intended: null })
  assert.deepEqual(changes(asked, wait(true)), { ...common, intended: null, tries: 5, maybe: { keyUntil: 5 * 60_000, revision: 3 } })
  assert.deepEqual(changes({ ...worn, maybe: null }, wait(true)).maybe, { keyUntil: 60, revision: 3 })
  assert.equal(changes(worn, wait(true)).maybe, undefined, 'the first doubt stays')
})

test('delivery: an end changes its state and its reason; only an unknown one keeps the intention', () => {
  assert.deepEqual(changes(asked, { type: 'delivery.simplified', at: 60, data: { part: 0, why: 'odd' } }), { plain: 'odd', intended: null })
  assert.deepEqual(changes(asked, { type: 'delivery.failed', at: 60, data: { code: 'forbidden', why: 'no' } }), {
    status: 'failed',
    intended: null,
    why: 'no',
  })
  assert.deepEqual(changes(asked, { type: 'delivery.parked', at: 60, data: { reason: 'tries', why: 'no' } }), {
    status: 'parked',
    intended: null,
    why: 'no',
  })
  assert.deepEqual(changes(asked, { type: 'delivery.unknown', at: 60, data: { part: 0, why: 'no' } }), { status: 'unknown', why: 'no' })
  assert.deepEqual(changes({ ...asked, isDismissed: false }, { type: 'delivery.dismissed', at: 60, data: { by: 'owner' } }), {
    status: 'dismissed',
    isDismissed: true,
  })
})

test('delivery.retried: begins with the part that is missing, without the doubts and tries before', () => {
  const stuck: DeliveryState = { ...worn, intended: intention, status: 'parked' }
  const retried: DeliveryEvent = { type: 'delivery.retried', at: 60, data: { by: 'owner', order: 8, staleAt: 199 } }
  const expected = { ...settledNow, status: 'open', order: 8, staleAt: 199, intended: null, maybe: null, why: null, isDismissed: false }
  assert.deepEqual(changes(stuck, retried), { ...expected, pin: 'wanted' })
  assert.deepEqual(changes({ ...stuck, pin: 'pinned' }, retried), expected)
})

test('delivery.edited: forgets how the older text went, and which controls were used', () => {
  const edited: DeliveryEvent = {
    type: 'delivery.edited',
    at: 60,
    data: { message: { text: 'new' }, orSend: false, order: 8, staleAt: 199 },
  }
  const expected = {
    ...settledNow,
    message: { text: 'new' },
    orSend: false,
    orKeep: false,
    order: 8,
    staleAt: 199,
    isDraft: false,
    revision: 4,
    done: 0,
    total: null,
    plain: null,
    why: null,
    isDismissed: false,
    closedBy: null,
    stripsAll: false,
    toStrip: [],
    stripAt: 0,
  }
  assert.deepEqual(changes(worn, edited), expected)
  const draft: DeliveryState = { ...worn, intended: { ...intention, isDraft: true, keyUntil: 5 * 60_000, covers: 1 } }
  assert.deepEqual(changes(draft, edited), expected, 'a draft that is being sent')
  assert.deepEqual(changes({ ...draft, status: 'unknown' }, edited), { ...expected, status: 'open', intended: null, maybe: null })
})

test('delivery.edit-refused: keeps the parts before it, and tries begin again', () => {
  assert.deepEqual(changes(asked, { type: 'delivery.edit-refused', at: 60, data: { part: 1, why: 'too old' } }), {
    shown: [part('m1', true)],
    total: null,
    intended: null,
    tries: 0,
    why: 'too old',
  })
})

test('delivery: a removed message, taken controls and a pin each end their own work and its tries', () => {
  assert.deepEqual(changes(worn, { type: 'delivery.shortened', at: 60, data: { messageId: 'm2', why: null } }), {
    ...settledNow,
    shown: [part('m1', true)],
  })
  const two = { ...worn, toStrip: ['m1', 'm2'] }
  assert.deepEqual(changes(two, { type: 'delivery.stripped', at: 60, data: { messageId: 'm1', why: null } }), {
    ...settledNow,
    toStrip: ['m2'],
    shown: [part('m1'), part('m2')],
  })
  assert.deepEqual(changes({ ...worn, pin: 'wanted' }, { type: 'delivery.pinned', at: 60, data: { messageId: 'm1' } }), {
    pin: 'pinned',
    pinned: ['m2', 'm1'],
    tries: 0,
    why: null,
  })
  assert.deepEqual(
    changes({ ...worn, pin: 'wanted' }, { type: 'delivery.pin-failed', at: 60, data: { why: 'no right', isRequired: false } }),
    {
      pin: 'failed',
      tries: 0,
      why: 'no right',
    },
  )
})

test('delivery.unpinned: the pin is gone with the last pinned message, and only where it was pinned', () => {
  const unpinned = (messageId: string): DeliveryEvent => ({ type: 'delivery.unpinned', at: 60, data: { messageId } })
  assert.deepEqual(changes({ ...worn, pin: 'pinned', pinned: ['m1', 'm2'] }, unpinned('m1')), { pinned: ['m2'] })
  assert.deepEqual(changes({ ...worn, pin: 'pinned' }, unpinned('m2')), { pinned: [], pin: 'none' })
  assert.deepEqual(changes({ ...worn, pin: 'wanted' }, unpinned('m2')), { pinned: [] })
})

const tapped: DeliveryEvent = {
  type: 'control.tapped',
  at: 60,
  data: { tap: 't1', token: 'x', by: '7', byName: 'Mia', order: 8, closes: true },
}
const closedBy = { tap: 't1', token: 'x', name: 'Mia', at: 60 }
const yes = { label: 'Yes', value: 'yes' }
const no = { label: 'No', value: 'no', reusable: true }

test('control.tapped: the last control of a message that is there is taken away, in its turn', () => {
  const there = { ...all, stripsAll: false }
  assert.deepEqual(changes(there, tapped), {
    closedBy,
    stripsAll: true,
    toStrip: ['m1'],
    stripAt: 0,
    status: 'open',
    order: 8,
    notBefore: 0,
  })
  const bare = { ...there, shown: [part('m1'), part('m2')] }
  assert.deepEqual(changes(bare, tapped), { closedBy, stripsAll: true, stripAt: 0, order: 8, notBefore: 0 }, 'it has none left')
  const closing: DeliveryEvent = { ...tapped, data: { ...tapped.data, stripAt: 560 } }
  assert.equal(evolveDelivery(there, closing).stripAt, 560, 'the message is about to be replaced')
})

test('control.tapped: controls that may be used again stay, in a change of the message that is never sent anew', () => {
  const message = { text: 'hi', presentation: { blocks: [{ type: 'buttons' as const, buttons: [yes, no] }] } }
  const rest = { text: 'hi', presentation: { blocks: [{ type: 'buttons' as const, buttons: [no] }] } }
  const change = { message: rest, orSend: false, revision: 4, done: 0, total: null, plain: null, tries: 0, notBefore: 0, why: null }
  assert.deepEqual(changes({ ...all, message }, tapped), { ...change, closedBy, isDismissed: false, status: 'open', order: 8 })
  const failed: DeliveryState = { ...all, message, status: 'failed' }
  assert.deepEqual(changes(failed, tapped), { ...change, closedBy, isDismissed: false }, 'it stays failed, and in its place')
})

test('control.tapped: a message that is there is worked on, one that is not stays what it is', () => {
  const becomes = (state: DeliveryState) => {
    const { status, order } = evolveDelivery(state, tapped)
    return [status, order]
  }
  assert.deepEqual(becomes({ ...all, status: 'partly-sent' }), ['open', 8])
  assert.deepEqual(becomes({ ...all, status: 'dismissed' }), ['open', 8])
  assert.deepEqual(becomes({ ...all, status: 'dismissed', intended: intention }), ['dismissed', 7], 'it may not be there')
  for (const status of ['open', 'failed', 'parked', 'unknown'] as const) assert.deepEqual(becomes({ ...all, status }), [status, 7])
})
