import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { admit } from './allow-list.ts'
import type { BindingEvent, InboundMessage } from './binding-events.ts'
import { bindingKind } from './binding-kind.ts'
import { type BindingState, evolveBinding, initialBinding } from './binding-state.ts'
import { type Admission, type BindingCommand, decideBinding } from './decide-binding.ts'
import { inboundLimits } from './inbound-limits.ts'

const { given } = deciderSpecification(bindingKind)
const where = { channel: 'c', address: 'a' }
const inbound = (id: string): InboundMessage => ({
  id,
  type: 'message',
  address: 'a',
  isPrivate: true,
  from: { id: '7', name: 'Mia' },
  at: 1,
  messageId: id,
  text: id,
  media: [],
})
const receive = (id: string, at: number, admission: Admission = 'must-ask', mayAsk = true): BindingCommand => ({
  type: 'receive-message',
  at,
  ...where,
  inbound: inbound(id),
  admission,
  code: '123456',
  mayAsk,
})
const requested = (at: number): BindingEvent => ({
  type: 'pairing.requested',
  at,
  data: { ...where, isPrivate: true, from: { id: '7', name: 'Mia' }, code: '123456', expiresAt: at + inboundLimits.pairingForMs },
})

test('the first message of a stranger becomes a request and is held; a listed sender is accepted', () => {
  given().when(receive('1', 1)).thenTypes('pairing.requested', 'inbound.received')
  given()
    .when(receive('1', 1, 'allowed'))
    .thenTypes('pairing.accepted', 'inbound.received')
  given()
    .when(receive('1', 1, 'refused'))
    .thenTypes()
  given()
    .when(receive('1', 1, 'must-ask', false))
    .thenTypes()
})

test('declined is not heard for a day, blocked never, and asking has an end', () => {
  const declined: BindingEvent = { type: 'pairing.declined', at: 2, data: { by: 'owner' } }
  given(requested(1), declined).when(receive('2', 3)).thenTypes()
  given(requested(1), declined)
    .when(receive('2', 3 + inboundLimits.declinedForMs))
    .thenTypes('pairing.requested', 'inbound.received')
  const blocked: BindingEvent = { type: 'address.blocked', at: 2, data: { ...where, by: 'owner' } }
  given(requested(1), blocked)
    .when(receive('2', 3, 'allowed'))
    .thenTypes()
  given(requested(1), blocked)
    .when({ type: 'accept-pairing', at: 3, ...where, by: 'owner' })
    .thenRefused('pairing_closed')
  const expired: BindingEvent = { type: 'pairing.expired', at: 2, data: { code: '123456' } }
  given(requested(1), expired, requested(2), expired, requested(3), expired).when(receive('2', 4)).thenTypes()
})

test('a code runs out', () => {
  const late = 1 + inboundLimits.pairingForMs
  given(requested(1))
    .when({ type: 'expire-pairing', at: late - 1 })
    .thenTypes()
  given(requested(1)).when({ type: 'expire-pairing', at: late }).thenTypes('pairing.expired')
  given(requested(1)).when(receive('2', late)).thenTypes('pairing.expired', 'pairing.requested', 'inbound.received')
})

test('the owner’s list', () => {
  const from = { id: '7', name: 'Mia' }
  assert.equal(admit({ people: ['7'] }, { from, address: 'g' }), 'allowed')
  assert.equal(admit({ people: ['*'] }, { from, address: 'g' }), 'allowed')
  assert.equal(admit({ addresses: ['g'] }, { from, address: 'g' }), 'allowed')
  assert.equal(admit({ people: ['8'] }, { from, address: 'g' }), 'must-ask')
  assert.equal(admit({ strangers: 'ignore' }, { from, address: 'g' }), 'refused')
})

const by = 'owner'
const dialog = 'd'

/** One step for every command; null where the state leaves nothing to do. A command without a step does not compile. */
const makers: {
  [Type in BindingCommand['type']]: (state: BindingState, at: number, id: string, admission: Admission) => BindingCommand | null
} = {
  'receive-message': (_state, at, id, admission) => receive(id, at, admission),
  'accept-pairing': (_state, at) => ({ type: 'accept-pairing', at, ...where, by }),
  'decline-pairing': (_state, at) => ({ type: 'decline-pairing', at, by }),
  'block-address': (_state, at) => ({ type: 'block-address', at, ...where, by }),
  'unblock-address': (_state, at) => ({ type: 'unblock-address', at, by }),
  'bind-address': (_state, at) => ({ type: 'bind-address', at, ...where, dialog, by }),
  'unbind-address': (_state, at) => ({ type: 'unbind-address', at, by }),
  'expire-pairing': (_state, at) => ({ type: 'expire-pairing', at }),
  'record-routed': ({ waiting: [next], status }, at) =>
    next && status === 'bound' ? { type: 'record-routed', at, id: next.id, dialog } : null,
  'record-unclaimed': ({ waiting: [next] }, at) =>
    next ? { type: 'record-unclaimed', at, id: next.id, from: next.from, text: next.text, why: 'no dialog' } : null,
  'dismiss-unclaimed': (_state, at, id) => ({ type: 'dismiss-unclaimed', at, id, by }),
}
const types = Object.keys(makers) as BindingCommand['type'][]
const move = fc.record({
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constant('receive-message' as const) },
    { weight: types.length, arbitrary: fc.constantFrom(...types) },
  ),
  admission: fc.constantFrom<Admission[]>('must-ask', 'must-ask', 'allowed', 'refused'),
  after: fc.constantFrom(1, 1_000, inboundLimits.pairingForMs, inboundLimits.declinedForMs),
})

test('binding: in any order of commands nothing is routed from a person who was not let in, nothing twice, and all bounds hold', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      let state: BindingState = initialBinding
      let at = 0
      let ids = 0
      const routed: string[] = []
      const requests: number[] = []
      const tell = (command: BindingCommand): void => {
        const decision = decideBinding(state, command)
        if ('refused' in decision) return
        for (const event of decision.events) {
          state = evolveBinding(state, event)
          if (event.type === 'inbound.routed') routed.push(event.data.id)
          if (event.type === 'pairing.requested') requests.push(event.at)
        }
      }
      for (const { type, admission, after } of moves) {
        at += after
        const before = state
        const command = makers[type](state, at, `m${++ids}`, admission)
        if (command) tell(command)
        if (type === 'receive-message' && (before.status === 'blocked' || admission === 'refused')) assert.deepEqual(state, before)
        if (command?.type === 'record-routed') tell(command)
        assert.ok(state.waiting.length <= inboundLimits.waitingMessages)
        if (state.status === 'requested') assert.ok(state.waiting.length <= inboundLimits.heldMessages)
        if (state.status === 'blocked' || state.status === 'declined') assert.equal(state.waiting.length, 0)
        if (state.status === 'bound') assert.notEqual(state.dialog, null)
      }
      assert.equal(new Set(routed).size, routed.length)
      assert.deepEqual(
        routed,
        routed.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
      )
      for (const from of requests)
        assert.ok(requests.filter((time) => time >= from && time < from + 24 * 60 * 60_000).length <= inboundLimits.pairingsPerDay)
    }),
    { numRuns: 300 },
  )
})
