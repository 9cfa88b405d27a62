import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import type { AccountEvent } from './account-events.ts'
import { evolveAccount, initialAccount } from './account-state.ts'
import { defaultChatPolicy } from './chat-policy.ts'
import { decideAccount } from './decide-account.ts'
import { getReadiness } from './readiness.ts'
import { dayMs } from './world-limits.ts'

const { given } = deciderSpecification({ initial: initialAccount, decide: decideAccount, evolve: evolveAccount })
const opened: AccountEvent = { type: 'account.opened', at: 0, data: { agent: 'agt_a', code: '7QX2MN', language: 'en' } }
const named: AccountEvent = { type: 'account.named', at: 0, data: { displayName: 'Ada' } }
const described: AccountEvent = { type: 'account.described', at: 0, data: { profile: '' } }
const ready = [opened, named, described]
const counted = (request: number, at: number, purpose = `p${request}`): AccountEvent => ({
  type: 'account.request-counted',
  at,
  data: { request: `r${request}`, to: 'x', purpose },
})
const at = 5

test('readiness: each gate names what is missing and the next tool', () => {
  assert.deepEqual(
    [
      getReadiness(initialAccount).readiness,
      getReadiness(given(opened).state).readiness,
      getReadiness(given(opened, named).state).readiness,
    ],
    ['unpaired', 'identity_pending', 'profile_pending'],
  )
  assert.deepEqual(
    getReadiness(given(opened).state).missingFields.map(({ fieldId }) => fieldId),
    ['displayName', 'profile'],
  )
  assert.equal(getReadiness(given(opened).state).requiredAction, 'set_public_identity')
  assert.equal(getReadiness(given(...ready).state).readiness, 'ready')
})

test('account: the code is given once', () => {
  given().when({ type: 'open-account', at, agent: 'agt_a', code: '7QX2MN', language: 'en' }).thenTypes('account.opened')
  given().when({ type: 'open-account', at, agent: 'agt_a', code: '7QX2M0', language: 'en' }).thenRefused('agent_code_invalid')
  given(opened).when({ type: 'open-account', at, agent: 'agt_a', code: '7QX2MN', language: 'en' }).thenTypes()
  given(opened).when({ type: 'open-account', at, agent: 'agt_a', code: '8QX2MN', language: 'en' }).thenRefused('account_exists')
  given().when({ type: 'name-account', at, displayName: 'Ada' }).thenRefused('peer_not_found')
})

test('account: name, profile and policy', () => {
  given(opened)
    .when({ type: 'name-account', at, displayName: ' Ada ' })
    .then({ type: 'account.named', data: { displayName: 'Ada' } })
  given(...ready)
    .when({ type: 'name-account', at, displayName: 'Ada' })
    .thenTypes()
  given(opened).when({ type: 'name-account', at, displayName: 'A#B' }).thenRefused('display_name_reserved_character')
  given(opened).when({ type: 'describe-account', at, profile: '' }).thenTypes('account.described')
  given(opened)
    .when({ type: 'describe-account', at, profile: 'x'.repeat(501) })
    .thenRefused('text_too_long')
  given(opened)
    .when({ type: 'set-policy', at, policy: { ...defaultChatPolicy, mode: 'open' } })
    .thenTypes('account.policy-set')
  const worldIds = Array.from({ length: 1_001 }, (_, index) => `w${index}`)
  given(opened)
    .when({ type: 'set-policy', at, policy: { mode: 'open', blocks: { originTypes: [], worldIds } } })
    .thenRefused('too_many_entries')
})

test('account: a key is replaced only with the key in use', () => {
  const keyed: AccountEvent = { type: 'account.key-set', at: 1, data: { key: 'k1', previous: null } }
  given(opened).when({ type: 'set-key', at, key: 'k1', previous: null }).thenTypes('account.key-set')
  given(opened, keyed).when({ type: 'set-key', at, key: 'k2', previous: null }).thenRefused('key_not_proven')
  given(opened, keyed).when({ type: 'set-key', at, key: 'k2', previous: 'k1' }).thenTypes('account.key-set')
})

test('account: a block ends trust', () => {
  const trusted: AccountEvent = { type: 'account.trusted', at: 1, data: { agent: 'agt_b', request: 'r' } }
  const blocked: AccountEvent = { type: 'account.blocked', at: 2, data: { agent: 'agt_b', code: '8K4TQZ' } }
  assert.deepEqual(given(opened, trusted, blocked).state.trusted, [])
  given(opened, blocked).when({ type: 'trust-agent', at, agent: 'agt_b', request: 'r' }).thenTypes()
  given(opened).when({ type: 'block-agent', at, agent: 'agt_a', code: '7QX2MN' }).thenRefused('peer_is_self')
  given(opened, blocked).when({ type: 'unblock-agent', at, agent: 'agt_b' }).thenTypes('account.unblocked')
})

test('throttle: a new account sends five requests a day until two were accepted', () => {
  const five = [1, 2, 3, 4, 5].map((number) => counted(number, number))
  const next = { type: 'count-request', at: 9, request: 'r6', to: 'x', purpose: 'new' } as const
  given(opened).when(next).thenRefused('public_identity_incomplete')
  given(...ready, ...five.slice(1))
    .when(next)
    .thenTypes('account.request-counted')
  given(...ready, ...five)
    .when(next)
    .thenRefused('request_throttled')
  given(...ready, ...five)
    .when({ ...next, request: 'r5' })
    .thenTypes()
  given(...ready, ...five)
    .when({ ...next, at: dayMs + 6 })
    .thenTypes('account.request-counted')
  const accepted: AccountEvent = { type: 'account.acceptance-counted', at: 6, data: { request: 'r1' } }
  given(...ready, ...five, accepted, accepted)
    .when(next)
    .thenTypes('account.request-counted')
})

test('throttle: the same purpose three times a day', () => {
  const accepted: AccountEvent = { type: 'account.acceptance-counted', at: 6, data: { request: 'r1' } }
  const same = [1, 2, 3].map((number) => counted(number, number, 'compare lists'))
  const next = { type: 'count-request', at: 9, request: 'r6', to: 'x', purpose: 'Compare  LISTS!' } as const
  given(...ready, accepted, accepted, ...same)
    .when(next)
    .thenRefused('request_throttled')
  given(...ready, accepted, accepted, ...same)
    .when({ ...next, purpose: 'Something else' })
    .thenTypes('account.request-counted')
  given(...ready, accepted, accepted, ...same)
    .when({ ...next, purpose: null })
    .thenTypes('account.request-counted')
})

test('account: closed for good', () => {
  const closed: AccountEvent = { type: 'account.closed', at: 1, data: { why: 'owner' } }
  given(...ready, closed)
    .when({ type: 'name-account', at, displayName: 'Bea' })
    .thenRefused('peer_not_reachable')
  given(...ready, closed)
    .when({ type: 'close-account', at, why: 'host' })
    .thenTypes()
  given(...ready)
    .when({ type: 'report-account', at, report: 'rep', by: 'agt_b', request: null, reason: 'spam', excerpt: 'buy' })
    .thenTypes('account.reported')
})
