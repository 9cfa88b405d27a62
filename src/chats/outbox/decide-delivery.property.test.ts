import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SendFailure } from '../../ports/channel.ts'
import { decideDelivery, type DeliveryCommand } from './decide-delivery.ts'
import { deliveryKind } from './delivery-kind.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { type DeliveryState, evolveDelivery, initialDelivery } from './delivery-state.ts'

type Type = DeliveryCommand['type']

const part = fc.nat(2)
const key = fc.constantFrom('k0', 'k1')
const messageId = fc.constantFrom('m0', 'm1', 'm2')
const order = fc.nat(9)
const by = fc.constant('owner')
const why = fc.constant('no answer')
const message = fc.constantFrom(
  { text: 'hi' },
  { text: 'pinned', delivery: { pin: { enabled: true, required: true } } },
  { text: 'once', presentation: { blocks: [{ type: 'buttons' as const, buttons: [{ label: 'Yes', value: 'y' }] }] } },
)
const failure: fc.Arbitrary<SendFailure> = fc.record({
  code: fc.constantFrom('unreachable', 'rate_limited', 'forbidden', 'not_modified', 'unformattable'),
  why,
  retryable: fc.boolean(),
  maybeSent: fc.boolean(),
})
const maybeFailure = fc.option(failure)

/** One generator for each command: a command that is added does not compile without one. */
const commands = {
  'plan-delivery': {
    delivery: fc.constant('d'),
    channel: fc.constant('c'),
    address: fc.constant('a'),
    message,
    order,
    staleAt: fc.constant(1_000),
    mayTap: fc.constant('anyone' as const),
    about: fc.option(fc.constant('dlg_1')),
  },
  'intend-part': {
    revision: fc.nat(2),
    part,
    parts: fc.integer({ min: 1, max: 3 }),
    key,
    isRepeatable: fc.boolean(),
    hasControls: fc.boolean(),
    losses: fc.constant([]),
    controls: fc.constant([]),
    controlsUntil: fc.constant(9),
    again: fc.constantFrom(true as const, undefined),
  },
  'record-receipt': { key, messageIds: fc.array(messageId, { maxLength: 2 }), sentAt: fc.nat(9) },
  'record-failure': { key, failure, hasKey: fc.boolean() },
  'give-up-part': {},
  'park-delivery': {},
  'refuse-part': { why },
  'record-pin': { failure: maybeFailure },
  'note-pin': { messageId, isPinned: fc.boolean() },
  'record-strip': { messageId, failure: maybeFailure },
  'record-removal': { messageId, failure: maybeFailure },
  'edit-delivery': { message, keepMedia: fc.boolean(), orSend: fc.boolean(), order, staleAt: fc.constant(1_000) },
  'retry-delivery': { by, order, staleAt: fc.constant(1_000) },
  'dismiss-delivery': { by },
  'confirm-delivery': { by },
  'use-control': {
    tap: fc.constantFrom('t0', 't1'),
    token: fc.constant('t'),
    messageId,
    by,
    byName: fc.constant('Mia'),
    isReusable: fc.boolean(),
    order,
  },
} satisfies { [Each in Type]: Record<string, fc.Arbitrary<unknown>> }

const types = Object.keys(commands) as Type[]
const command: fc.Arbitrary<DeliveryCommand> = fc.oneof(
  ...types.map((type) => fc.record({ type: fc.constant(type), at: fc.nat(99), ...commands[type] }) as fc.Arbitrary<DeliveryCommand>),
)
/** Planned first, because nothing else counts before. Most commands are made to fit the state, the others are left as drawn. */
const drawnList = fc.tuple(
  fc.record({ type: fc.constant('plan-delivery' as const), at: fc.constant(0), ...commands['plan-delivery'] }),
  fc.array(fc.record({ drawn: command, fits: fc.integer({ min: 0, max: 3 }).map((one) => one > 0) }), { maxLength: 60, size: 'max' }),
)

function toFit(drawn: DeliveryCommand, { status, revision, done, intended, shown }: DeliveryState): DeliveryCommand {
  const last = shown.at(-1)?.messageId
  // Few deliveries become unknown, so commands that no person gives become confirmations there.
  if (!('by' in drawn) && status === 'unknown') return { type: 'confirm-delivery', at: drawn.at, by: 'mia' }
  if (drawn.type === 'intend-part') return { ...drawn, revision, part: done, ...(intended && { key: intended.key }) }
  if ('key' in drawn) return { ...drawn, ...(intended && { key: intended.key }) }
  return 'messageId' in drawn && last !== undefined ? { ...drawn, messageId: last } : drawn
}

function check(type: Type, before: DeliveryState, after: DeliveryState): void {
  assert.notEqual(after.status, 'absent')
  assert.ok(after.revision >= before.revision, 'a revision was taken back')
  assert.ok(after.tries < deliveryLimits.tries, `${after.tries} tries`)
  assert.deepEqual(JSON.parse(JSON.stringify(after)), after, 'the state is not plain JSON')
  if (after.status === 'sent') assert.deepEqual([after.intended, after.toStrip], [null, []], 'something is left to do')
  // An edit brings controls of its own.
  if (before.closedBy && type !== 'edit-delivery') assert.deepEqual(after.closedBy, before.closedBy, 'the first tap counts')
}

test('deciding is total over all commands, and the state keeps its invariants', (t) => {
  const acceptedCounts = new Map<Type, number>()
  fc.assert(
    fc.property(drawnList, ([first, list]) => {
      let state = initialDelivery
      for (const { drawn, fits } of [{ drawn: first as DeliveryCommand, fits: false }, ...list]) {
        const one = fits ? toFit(drawn, state) : drawn
        const decision = decideDelivery(state, one)
        if ('refused' in decision) continue
        acceptedCounts.set(one.type, (acceptedCounts.get(one.type) ?? 0) + 1)
        const after = decision.events.reduce(evolveDelivery, state)
        if (decision.events.length > 0) check(one.type, state, after)
        const { rows } = deliveryKind.consequences('delivery:d', decision.events, after, state)
        if (after.status !== 'open')
          assert.ok(
            rows?.some((row) => row.view === 'outbox' && row.body === null),
            'a delivery at rest stays in the queue',
          )
        state = after
      }
    }),
    { numRuns: 800 },
  )
  t.diagnostic(types.map((type) => `${type} ${acceptedCounts.get(type) ?? 0}`).join(', '))
  for (const type of types) assert.ok((acceptedCounts.get(type) ?? 0) > 20, `${type} was hardly ever accepted`)
})
