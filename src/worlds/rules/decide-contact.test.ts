import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import type { ContactEvent } from './contact-events.ts'
import { acceptedKeys, evolveContact, initialContact } from './contact-state.ts'
import { decideContact } from './decide-contact.ts'

const { given } = deciderSpecification({ initial: initialContact, decide: decideContact, evolve: evolveContact })
const pinned: ContactEvent = { type: 'key.pinned', at: 1, data: { code: '8K4TQZ', key: 'k1', source: 'first_contact' } }
const changed: ContactEvent = { type: 'key.changed', at: 2, data: { key: 'k2' } }
const see = (key: string) => ({ type: 'see-key', at: 9, code: '8K4TQZ', key }) as const

test('contact: the first key is pinned, the same key again changes nothing', () => {
  given()
    .when(see('k1'))
    .then({ type: 'key.pinned', data: { code: '8K4TQZ', key: 'k1', source: 'first_contact' } })
  given(pinned).when(see('k1')).thenTypes()
})

test('contact: another key waits for the owner', () => {
  given(pinned)
    .when(see('k2'))
    .then({ type: 'key.changed', data: { key: 'k2' } })
  given(pinned, changed).when(see('k2')).thenTypes()
  given(pinned, changed).when({ type: 'accept-key', at: 9, key: 'k2', by: 'owner' }).thenTypes('key.accepted')
  given(pinned, changed).when({ type: 'accept-key', at: 9, key: 'k3', by: 'owner' }).thenRefused('peer_key_not_offered')
  given(pinned).when({ type: 'accept-key', at: 9, key: 'k2', by: 'owner' }).thenRefused('peer_key_not_offered')
})

test('contact: a declined key is not offered again by the peer', () => {
  const declined: ContactEvent = { type: 'key.declined', at: 3, data: { key: 'k2', by: 'owner' } }
  given(pinned, changed).when({ type: 'decline-key', at: 9, key: 'k2', by: 'owner' }).thenTypes('key.declined')
  given(pinned, changed, declined).when(see('k2')).thenTypes()
  given(pinned, changed, declined).when({ type: 'read-card', at: 9, code: '8K4TQZ', key: 'k2' }).thenTypes('key.changed')
})

test('contact: a share card pins a key or confirms the pinned one, and never replaces it', () => {
  given().when({ type: 'read-card', at: 9, code: '8K4TQZ', key: 'k1' }).thenTypes('key.pinned')
  given(pinned).when({ type: 'read-card', at: 9, code: '8K4TQZ', key: 'k1' }).thenTypes('key.pinned')
  given(pinned).when({ type: 'read-card', at: 9, code: '8K4TQZ', key: 'k2' }).thenTypes('key.changed')
})

test('contact: the key before the accepted one holds for older requests alone', () => {
  const accepted: ContactEvent = { type: 'key.accepted', at: 5, data: { key: 'k2', by: 'owner' } }
  assert.deepEqual(acceptedKeys(given(pinned, changed).state, 3), ['k1'])
  assert.deepEqual(acceptedKeys(given(pinned, changed, accepted).state, 3), ['k2', 'k1'])
  assert.deepEqual(acceptedKeys(given(pinned, changed, accepted).state, 6), ['k2'])
})
