import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SendFailure } from '../../ports/channel.ts'
import type { DeliveryView } from '../../shapes/messaging.ts'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideDelivery, type DeliveryCommand } from './decide-delivery.ts'
import type { DeliveryEvent } from './delivery-events.ts'
import { deliveryKind } from './delivery-kind.ts'
import { deliveryRow } from './delivery-rows.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { type DeliveryState, evolveDelivery, findShown, initialDelivery } from './delivery-state.ts'
import { nextStep } from './next-step.ts'

const { given } = deciderSpecification(deliveryKind)

const planned: Extract<DeliveryEvent, { type: 'delivery.planned' }> = {
  type: 'delivery.planned',
  at: 1,
  data: { delivery: 'd', channel: 'c', address: 'a', message: { text: 'hi' }, order: 1, staleAt: 1_000_000, mayTap: 'anyone', about: null },
}
const intended = (part = 0, hasControls = false, isRepeatable = false): DeliveryEvent => ({
  type: 'delivery.intended',
  at: 2,
  data: { part, parts: 1, key: `k${part}`, isRepeatable, hasControls, losses: [], controls: [], controlsUntil: 9 },
})
const sent: DeliveryEvent = { type: 'delivery.sent', at: 3, data: { part: 0, messageId: 'm1', sentAt: 3 } }
const tap = (id: string, isReusable = false): DeliveryCommand => ({
  type: 'use-control',
  at: 5,
  tap: id,
  token: 't',
  messageId: 'm1',
  by: '7',
  byName: 'Mia',
  isReusable,
  order: 2,
})
const failure = (more: Partial<SendFailure> = {}): SendFailure => ({
  code: 'unreachable',
  why: 'no answer',
  retryable: true,
  maybeSent: false,
  ...more,
})

test('silence without a key is unknown; with a key it is tried again', () => {
  const silence = { type: 'record-failure', at: 4, key: 'k0', failure: failure({ maybeSent: true }) } as const
  given(planned, intended())
    .when({ ...silence, hasKey: false })
    .thenTypes('delivery.unknown')
  given(planned, intended())
    .when({ ...silence, hasKey: true })
    .thenTypes('delivery.postponed')
})

test('park-delivery: the reason names the last failure, where there is one', () => {
  const later: DeliveryEvent = { type: 'delivery.postponed', at: 3, data: { until: 9, why: 'slow', isTry: true, maybeSent: false } }
  const parked = (why: string) => ({ type: 'delivery.parked', data: { reason: 'stale', why } })
  given(planned).when({ type: 'park-delivery', at: 5 }).then(parked('it waited too long to be sent'))
  given(planned, intended(), later).when({ type: 'park-delivery', at: 5 }).then(parked('it waited too long to be sent; last: slow'))
})

test('intend-part: a part that was prepared before an edit is refused', () => {
  const edited: DeliveryEvent = {
    type: 'delivery.edited',
    at: 2,
    data: { message: { text: 'new' }, orSend: false, order: 2, staleAt: 9e9 },
  }
  const { data } = intended()
  const prepare = (revision: number) => ({ type: 'intend-part', at: 3, revision, ...data }) as DeliveryCommand
  given(planned, edited).when(prepare(0)).thenRefused('delivery_moved_on')
  given(planned, edited).when(prepare(1)).thenTypes('delivery.intended')
})

test('an outcome counts only for what was intended', () => {
  const receipt = { type: 'record-receipt', at: 4, key: 'other', messageIds: ['m1'], sentAt: 4 } as const
  given(planned, intended()).when(receipt).thenRefused('delivery_moved_on')
  given(planned)
    .when({ ...receipt, key: 'k0' })
    .thenRefused('delivery_moved_on')
  given(planned, intended())
    .when({ ...receipt, key: 'k0' })
    .thenTypes('delivery.sent')
})

test('nothing may be intended while an intention is open, unless repeating it is safe', () => {
  const again = {
    type: 'intend-part',
    revision: 0,
    at: 4,
    part: 0,
    parts: 1,
    key: 'k0',
    isRepeatable: true,
    hasControls: false,
    losses: [],
    controls: [],
    controlsUntil: 9,
  } satisfies DeliveryCommand
  given(planned, intended()).when(again).thenRefused('delivery_moved_on')
  given(planned, intended())
    .when({ ...again, again: true })
    .thenRefused('delivery_moved_on')
  given(planned, intended(0, false, true))
    .when({ ...again, again: true })
    .thenTypes('delivery.intended')
})

test('intend-part: a change that was not confirmed is replaced by a newer change, a new message never by another', () => {
  const edited = (text: string): DeliveryEvent => ({
    type: 'delivery.edited',
    at: 5,
    data: { message: { text }, orSend: false, order: 2, staleAt: 1_000_000 },
  })
  const { data } = intended(0, false, true) as Extract<DeliveryEvent, { type: 'delivery.intended' }>
  const newer = (revision: number, more: object = { again: true }) =>
    ({ type: 'intend-part', at: 7, revision, ...data, key: 'newer', ...more }) as DeliveryCommand
  const change = intended(0, false, true)
  given(planned, intended(), sent, edited('b'), change, edited('c')).when(newer(2)).thenTypes('delivery.intended')
  given(planned, intended(), sent, edited('b'), change, edited('c')).when(newer(2, {})).thenRefused('delivery_moved_on')
  given(planned, intended(), sent, edited('b'), intended(), edited('c')).when(newer(2)).thenRefused('delivery_moved_on')
  given(planned, change, edited('b')).when(newer(1)).thenRefused('delivery_moved_on')
  given(planned, change, edited('b'))
    .when(newer(1, { again: true, key: 'k0' }))
    .thenTypes('delivery.intended')
})

test('the first tap wins; the same tap again changes nothing; a reusable control stays', () => {
  given(planned, intended(0, true), sent).when(tap('t1')).thenTypes('control.tapped')
  const tapped: DeliveryEvent = {
    type: 'control.tapped',
    at: 5,
    data: { tap: 't1', token: 't', by: '7', byName: 'Mia', order: 2, closes: true },
  }
  given(planned, intended(0, true), sent, tapped).when(tap('t1')).thenTypes()
  given(planned, intended(0, true), sent, tapped).when(tap('t2')).thenRefused('control_used')
  given(planned, intended(0, true), sent, tapped).when(tap('t2', true)).thenTypes('control.tapped')
  assert.deepEqual(nextStep(given(planned, intended(0, true), sent, tapped).state, 6), { does: 'strip', messageId: 'm1' })
})

test('a tap from another message is refused; one from an unconfirmed part proves that it arrived', () => {
  const elsewhere = { ...tap('t1'), messageId: 'm9' } as DeliveryCommand
  given(planned, intended(0, true), sent).when(elsewhere).thenRefused('control_unknown')
  const unknown: DeliveryEvent = { type: 'delivery.unknown', at: 4, data: { part: 0, why: 'no answer' } }
  given(planned, intended(0, true), unknown).when(tap('t1')).thenTypes('delivery.confirmed', 'control.tapped')
  const confirmed: DeliveryEvent = { type: 'delivery.confirmed', at: 5, data: { part: 0, messageId: 'm1' } }
  assert.equal(given(planned, intended(0, true), unknown, confirmed).state.status, 'sent')
})

test('a stuck delivery is dismissed by a person, once; one that is retried is not', () => {
  const unknown: DeliveryEvent = { type: 'delivery.unknown', at: 4, data: { part: 0, why: 'no answer' } }
  const dismissed: DeliveryEvent = { type: 'delivery.dismissed', at: 5, data: { by: 'owner' } }
  const dismiss: DeliveryCommand = { type: 'dismiss-delivery', at: 5, by: 'owner' }
  const stuck: DeliveryEvent[] = [
    unknown,
    { type: 'delivery.failed', at: 4, data: { code: 'forbidden', why: 'no' } },
    { type: 'delivery.parked', at: 4, data: { reason: 'stale', why: 'late' } },
  ]
  for (const how of stuck)
    given(planned, intended(), how)
      .when(dismiss)
      .then({ type: 'delivery.dismissed', data: { by: 'owner' } })
  given(planned).when(dismiss).thenRefused('delivery_not_stuck')
  given(planned, intended(), sent).when(dismiss).thenRefused('delivery_not_stuck')
  given(planned, intended(), unknown, dismissed).when(dismiss).thenTypes()
  const { state } = given(planned, intended(), unknown, dismissed)
  assert.deepEqual([deliveryRow(state).group, nextStep(state, 6).does], ['dismissed', 'rest'])
})

test('a dismissed delivery can be retried, and a tap still proves that it arrived', () => {
  const unknown: DeliveryEvent = { type: 'delivery.unknown', at: 4, data: { part: 0, why: 'no answer' } }
  const dismissed: DeliveryEvent = { type: 'delivery.dismissed', at: 5, data: { by: 'owner' } }
  const retry: DeliveryCommand = { type: 'retry-delivery', at: 6, by: 'owner', order: 2, staleAt: 1_000_000 }
  given(planned, intended(), unknown, dismissed).when(retry).thenTypes('delivery.retried')
  given(planned, intended(0, true), unknown, dismissed).when(tap('t1')).thenTypes('delivery.confirmed', 'control.tapped')
})

test('a dismissed missing pin is not reported again after a tap removed the controls', () => {
  const pinned: DeliveryEvent = {
    ...planned,
    data: { ...planned.data, message: { text: 'hi', delivery: { pin: { enabled: true, required: true } } } },
  }
  const events: DeliveryEvent[] = [
    pinned,
    intended(0, true),
    sent,
    { type: 'delivery.pin-failed', at: 4, data: { why: 'no right', isRequired: true } },
  ]
  assert.equal(given(...events).state.status, 'partly-sent')
  const { state } = given(
    ...events,
    { type: 'delivery.dismissed', at: 5, data: { by: 'owner' } },
    { type: 'control.tapped', at: 6, data: { tap: 't1', token: 't', by: '7', byName: 'Mia', order: 2, closes: true } },
  )
  assert.deepEqual(nextStep(state, 7), { does: 'strip', messageId: 'm1' })
  assert.equal(evolveDelivery(state, { type: 'delivery.stripped', at: 8, data: { messageId: 'm1', why: null } }).status, 'dismissed')
})

test('the finished words of a draft are sent, whether or not its beginning arrived', () => {
  const draft: DeliveryEvent = { ...planned, data: { ...planned.data, isDraft: true } }
  const unknown: DeliveryEvent = { type: 'delivery.unknown', at: 4, data: { part: 0, why: 'no answer' } }
  const finished: DeliveryEvent = {
    type: 'delivery.edited',
    at: 5,
    data: { message: { text: 'hi there' }, orSend: true, order: 2, staleAt: 1_000_000 },
  }
  const afresh = { does: 'part', again: false }
  assert.deepEqual(nextStep(given(draft, intended(), unknown, finished).state, 6), afresh)
  // The process ended, and the text was finished before the preview was checked.
  assert.deepEqual(nextStep(given(draft, intended(), finished).state, 6), { does: 'give-up' })
  given(draft, intended(), finished).when({ type: 'give-up-part', at: 6 }).thenTypes('delivery.edit-refused')
  const refused: DeliveryEvent = { type: 'delivery.edit-refused', at: 6, data: { part: 0, why: 'no answer' } }
  assert.deepEqual(nextStep(given(draft, intended(), finished, refused).state, 7), afresh)
  given(planned, intended(), finished).when({ type: 'give-up-part', at: 6 }).thenTypes('delivery.unknown')
})

test('an edit while a part is being sent keeps its receipt', () => {
  const edited: DeliveryEvent = {
    type: 'delivery.edited',
    at: 3,
    data: { message: { text: 'new' }, orSend: false, order: 2, staleAt: 1_000_000 },
  }
  const { state } = given(planned, intended(), edited, sent)
  assert.deepEqual(
    state.shown.map(({ messageId }) => messageId),
    ['m1'],
  )
  assert.deepEqual(nextStep(state, 4), { does: 'part', again: false })
})

/** Actions of a platform, a process or a person, with their weights. */
const happenings = {
  succeed: 2,
  lose: 1,
  'slow-down': 1,
  stumble: 1,
  refuse: 1,
  crash: 1,
  edit: 1,
  retry: 1,
  tap: 1,
  pass: 1,
}
type Happening = { type: keyof typeof happenings; after: number }

/**
 * Plays a platform and a deliverer that may die at any arrow, by the pure rules alone. Counts what really happened.
 */
function play(path: readonly Happening[], { parts, hasKey }: { parts: number; hasKey: boolean }) {
  let state: DeliveryState = initialDelivery
  let now = 10
  let ids = 0
  const plans: { key: string; id: string }[] = []
  const byKey = new Map<string, string>()
  const history: DeliveryState[] = []
  const tell = (command: DeliveryCommand): boolean => {
    const decision = decideDelivery(state, command)
    if ('refused' in decision) return false
    for (const event of decision.events) {
      state = evolveDelivery(state, event)
      history.push(state)
    }
    return true
  }
  tell({
    type: 'plan-delivery',
    at: now,
    delivery: 'd',
    channel: 'c',
    address: 'a',
    message: { text: 'hi' },
    order: 1,
    staleAt: 1e12,
    mayTap: 'anyone',
    about: null,
  })
  for (const { type, after } of path) {
    now += after
    if (type === 'pass') continue
    if (type === 'edit' || type === 'retry') {
      if (type === 'edit') tell({ type: 'edit-delivery', at: now, message: { text: `v${now}` }, orSend: false, order: now, staleAt: 1e12 })
      else tell({ type: 'retry-delivery', at: now, by: 'owner', order: now, staleAt: 1e12 })
      continue
    }
    if (type === 'tap') {
      const [first] = state.shown
      if (first)
        tell({
          type: 'use-control',
          at: now,
          tap: `tap${now}`,
          token: 't',
          messageId: first.messageId,
          by: '1',
          byName: 'M',
          isReusable: false,
          order: now,
        })
      continue
    }
    const step = nextStep(state, now)
    if (step.does === 'give-up') tell({ type: 'give-up-part', at: now })
    if (step.does === 'strip') tell({ type: 'record-strip', at: now, messageId: step.messageId, failure: null })
    if (step.does !== 'part') continue
    const part = state.done
    const there = findShown(state, part)
    if (there?.messageId === '') {
      tell({ type: 'refuse-part', at: now, why: 'it has no id' })
      continue
    }
    const isEdit = there !== undefined
    const key = `${state.revision}/${part}${isEdit ? '/edit' : ''}`
    const took = tell({
      type: 'intend-part',
      revision: state.revision,
      at: now,
      part,
      parts,
      key,
      isRepeatable: isEdit || hasKey,
      hasControls: true,
      losses: [],
      controls: [],
      controlsUntil: 9,
      ...(step.again && { again: true as const }),
    })
    if (!took) continue
    const perform = (): string => {
      if (there) return there.messageId
      const entry = hasKey ? byKey.get(key) : undefined
      if (entry !== undefined) return entry
      const id = `m${++ids}`
      plans.push({ key, id })
      byKey.set(key, id)
      return id
    }
    if (type === 'crash') {
      if (after % 2 === 0) perform()
      continue
    }
    if (type === 'succeed') tell({ type: 'record-receipt', at: now, key, messageIds: [perform()], sentAt: now })
    else {
      if (type === 'lose') perform()
      const how: SendFailure =
        type === 'lose'
          ? failure({ maybeSent: !isEdit })
          : type === 'slow-down'
            ? failure({ code: 'rate_limited', retryAfterMs: 5 })
            : type === 'stumble'
              ? failure()
              : failure({ code: 'forbidden', retryable: false })
      tell({ type: 'record-failure', at: now, key, failure: how, hasKey })
    }
  }
  return { state, made: plans, history, now }
}

const happening: fc.Arbitrary<Happening> = fc.record({
  type: fc.oneof(
    ...(Object.keys(happenings) as Happening['type'][]).map((type) => ({ weight: happenings[type], arbitrary: fc.constant(type) })),
  ),
  after: fc.integer({ min: 1, max: 2_000 }),
})

test('no part is sent twice unless the platform knows its key or a person asked', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), fc.boolean(), (path, parts, hasKey) => {
      const alone = path.filter(({ type }) => type !== 'retry')
      const { made, state } = play(alone, { parts, hasKey })
      const keys = made.map(({ key }) => key)
      assert.equal(new Set(keys).size, keys.length, `made twice: ${keys.join(' ')}`)
      const places = new Set(made.map(({ key }) => key.split('/')[1]))
      if (!hasKey) assert.equal(places.size, made.length, 'no part was sent a second time under another key')
      // Everything that is there is known, or reported, or still looked into.
      const knownKeys = new Set(state.shown.map(({ messageId }) => messageId))
      const lost = made.filter(({ id }) => !knownKeys.has(id))
      if (lost.length > 0)
        assert.ok(
          state.status === 'unknown' || state.intended !== null || state.maybe !== null || state.unclear.length > 0,
          `${lost.length} effects that no event records`,
        )
    }),
    { numRuns: 400 },
  )
})

test('left alone with a platform that works, a delivery comes to rest', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), fc.boolean(), (path, parts, hasKey) => {
      const calm = Array.from({ length: 20 }, (): Happening => ({ type: 'succeed', after: deliveryLimits.longestRetryMs }))
      const { state } = play([...path, ...calm], { parts, hasKey })
      assert.notEqual(state.status, 'open')
      if (state.status === 'sent') assert.equal(state.shown.length, parts)
    }),
    { numRuns: 300 },
  )
})

const typed = (...types: Happening['type'][]): Happening[] => types.map((type) => ({ type, after: 1 }))
const ids = ({ shown }: DeliveryState): string[] => shown.map(({ messageId }) => messageId)
const apply = (state: DeliveryState, command: DeliveryCommand): DeliveryState => {
  const decision = decideDelivery(state, command)
  assert.ok('events' in decision, JSON.stringify(decision))
  return decision.events.reduce(evolveDelivery, state)
}

test('an unclear part: the parts after it are sent, and the delivery ends as unknown until a person says that it arrived', () => {
  const confirm: DeliveryCommand = { type: 'confirm-delivery', at: 9, by: 'Mia' }
  const { state, made } = play(typed('succeed', 'lose', 'succeed'), { parts: 3, hasKey: false })
  assert.deepEqual([state.status, ids(state), made.length], ['unknown', ['m1', '', 'm3'], 3])
  const { parts, receipts, error } = deliveryRow(state).body as DeliveryView
  assert.deepEqual([parts, receipts.map(({ messageId }) => messageId)], [{ sent: 2, total: 3 }, ['m1', 'm3']])
  assert.match(error?.message ?? '', /no answer.*2 of its parts arrived/)
  const after = apply(state, confirm)
  assert.deepEqual([after.status, after.unclear], ['sent', []])
  assert.deepEqual(decideDelivery(after, confirm), { refused: { code: 'delivery_not_unconfirmed', details: { state: 'sent' } } })
})

test('an unclear part: a retry sends that part alone again', () => {
  const { state } = play(typed('lose', 'succeed', 'lose', 'succeed'), { parts: 4, hasKey: false })
  const retried = apply(state, { type: 'retry-delivery', at: 9, by: 'Mia', order: 2, staleAt: 1_000_000 })
  assert.deepEqual([retried.status, retried.done, retried.resend], ['open', 0, [0, 2]])
  const { state: end, made } = play(typed('lose', 'succeed', 'lose', 'succeed', 'retry', 'succeed', 'succeed'), { parts: 4, hasKey: false })
  assert.deepEqual([end.status, made.map(({ key }) => key.split('/')[1])], ['sent', ['0', '1', '2', '3', '0', '2']])
  assert.deepEqual(ids(end), ['m5', 'm2', 'm6', 'm4'])
})

test('an unclear part: the last one of a text is told as before, with the others', () => {
  const { state } = play(typed('lose', 'succeed', 'lose'), { parts: 3, hasKey: false })
  assert.deepEqual([state.status, state.intended?.part, ids(state)], ['unknown', 2, ['', 'm2']])
  const confirmed = apply(state, { type: 'confirm-delivery', at: 9, by: 'Mia' })
  assert.deepEqual([confirmed.status, ids(confirmed)], ['sent', ['', 'm2', '']])
})

test('an unclear part: a tap on it proves that it arrived', () => {
  const { state } = play(typed('lose', 'succeed'), { parts: 2, hasKey: false })
  const tapped = apply(state, { ...tap('t1'), messageId: 'm1' } as DeliveryCommand)
  assert.deepEqual([tapped.unclear, ids(tapped), tapped.closedBy?.name], [[], ['m1', 'm2'], 'Mia'])
})

test('an unclear part: a change cannot reach it; after a retry the newer text stands there and in the other parts', () => {
  const path = typed('lose', 'succeed', 'edit', 'succeed')
  const { state } = play(path, { parts: 2, hasKey: false })
  assert.deepEqual([state.status, state.why, ids(state)], ['failed', 'it has no id', ['', 'm2']])
  const { state: end, made } = play([...path, ...typed('retry', 'succeed', 'succeed')], { parts: 2, hasKey: false })
  assert.deepEqual([end.status, ids(end), made.length], ['sent', ['m3', 'm2'], 3])
})

test('a refused change of a tapped message whose text is not complete is a failure', () => {
  const path: Happening[] = (['succeed', 'edit', 'tap', 'refuse'] as const).map((type) => ({ type, after: 1 }))
  const { state } = play(path, { parts: 2, hasKey: false })
  assert.equal(state.status, 'failed')
  assert.equal(state.shown.length, 1)
})

test('parts that are there stay there, and tries are bounded', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (path) => {
      const { history } = play(path, { parts: 2, hasKey: false })
      let most = 0
      for (const { shown, tries } of history) {
        assert.ok(shown.length >= most)
        most = shown.length
        assert.ok(tries < deliveryLimits.tries)
      }
    }),
  )
})
