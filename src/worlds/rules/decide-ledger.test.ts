import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideLedger } from './decide-ledger.ts'
import type { LedgerEvent } from './ledger-events.ts'
import { daySpending, evolveLedger, findConsent, findStandingBrief, initialLedger } from './ledger-state.ts'
import { owner } from './test/samples.ts'

const { given } = deciderSpecification({ initial: initialLedger, decide: decideLedger, evolve: evolveLedger })
const consent = (kind: 'profile' | 'standing_brief', text: string): LedgerEvent => ({
  type: 'consent.given',
  at: 1,
  data: { consent: `c_${text}`, kind, text, about: null, by: owner, surface: 'web' },
})
const guest = { id: 'g', name: 'Gus', role: 'guest' } as const
const at = 5

test('ledger: an entry approves exactly its words', () => {
  given()
    .when({ type: 'record-consent', at, consent: 'c1', kind: 'profile', text: 'Reads', about: null, by: owner, surface: 'web' })
    .thenTypes('consent.given')
  given(consent('profile', 'Reads'))
    .when({ type: 'record-consent', at, consent: 'c_Reads', kind: 'profile', text: 'Reads', about: null, by: owner, surface: 'web' })
    .thenTypes()
  given()
    .when({ type: 'record-consent', at, consent: 'c1', kind: 'purpose', text: 'x'.repeat(201), about: null, by: owner, surface: 'web' })
    .thenRefused('text_too_long')
  const { state } = given(consent('profile', 'Reads'))
  assert.equal(findConsent(state, 'profile', 'Reads')?.by.name, 'Mia')
  assert.equal(findConsent(state, 'profile', 'Reads.'), null)
  assert.equal(findConsent(state, 'brief', 'Reads'), null)
})

test('ledger: a standing brief needs consent; that of a world comes first', () => {
  given().when({ type: 'set-standing-brief', at, world: null, text: 'Be short' }).thenRefused('consent_missing')
  given(consent('standing_brief', 'Be short'))
    .when({ type: 'set-standing-brief', at, world: null, text: 'Be short' })
    .thenTypes('standing-brief.set')
  const set = (world: string | null, text: string | null): LedgerEvent => ({
    type: 'standing-brief.set',
    at,
    data: { world, text, consent: null },
  })
  const { state } = given(set(null, 'general'), set('w', 'world'))
  assert.deepEqual(
    [findStandingBrief(state, 'w'), findStandingBrief(state, 'v'), findStandingBrief(state, null)],
    ['world', 'general', 'general'],
  )
  assert.equal(findStandingBrief(given(set(null, 'general'), set(null, null)).state, null), null)
})

test('ledger: spending is reserved before it happens and never passes the budget of the day', () => {
  const reserved = (run: string, tokens: number, day = 'd1'): LedgerEvent => ({
    type: 'budget.reserved',
    at,
    data: { run, day, tokens, money: 0 },
  })
  const settled = (run: string, tokens: number): LedgerEvent => ({ type: 'budget.settled', at, data: { run, tokens, money: 0 } })
  const small: LedgerEvent = { type: 'budget.set', at, data: { budget: { tokens: 100, money: 1 }, by: owner } }
  const reserve = { type: 'reserve-spending', at, run: 'r9', day: 'd1', tokens: 50, money: 0 } as const
  given(small, reserved('r1', 50)).when(reserve).thenTypes('budget.reserved')
  given(small, reserved('r1', 51)).when(reserve).thenRefused('talk_budget_spent')
  given(small, reserved('r1', 51), settled('r1', 10)).when(reserve).thenTypes('budget.reserved')
  given(small, reserved('r1', 90), settled('r1', 90))
    .when({ ...reserve, day: 'd2' })
    .thenTypes('budget.reserved')
  given(small)
    .when({ ...reserve, tokens: 0, money: 2 })
    .thenRefused('talk_budget_spent')
  given(small, reserved('r9', 50)).when(reserve).thenTypes()
  assert.deepEqual(daySpending(given(reserved('r1', 5), settled('r1', 3), reserved('r2', 4)).state, 'd1'), { tokens: 7, money: 0 })
  given()
    .when({ type: 'set-day-budget', at, budget: { tokens: 1, money: 1 }, by: guest })
    .thenRefused('owner_only')
})

test('ledger: the talks of one world have a budget of their own, within that of the account', () => {
  const budget: LedgerEvent = { type: 'budget.set', at, data: { budget: { tokens: 100, money: 1 }, by: owner, world: 'w' } }
  const reserve = { type: 'reserve-spending', at, run: 'r9', day: 'd1', tokens: 60, money: 0 } as const
  const reserved: LedgerEvent = { type: 'budget.reserved', at, data: { run: 'r1', day: 'd1', tokens: 50, money: 0, world: 'w' } }
  const settled: LedgerEvent = { type: 'budget.settled', at, data: { run: 'r1', tokens: 41, money: 0 } }
  given(budget, reserved)
    .when({ ...reserve, world: 'w' })
    .thenRefused('talk_budget_spent')
  given(budget, reserved, settled)
    .when({ ...reserve, world: 'w' })
    .thenRefused('talk_budget_spent')
  for (const elsewhere of [{}, { world: 'v' }, { world: 'w', day: 'd2' }, { world: 'w', tokens: 59 }])
    given(budget, reserved, settled)
      .when({ ...reserve, ...elsewhere })
      .thenTypes('budget.reserved')
  const whole: LedgerEvent = { type: 'budget.set', at, data: { budget: { tokens: 2_000_000, money: 5 }, by: owner, world: 'w' } }
  given(budget, reserved, whole)
    .when({ ...reserve, world: 'w' })
    .thenTypes('budget.reserved')
  const { state } = given(budget, reserved, settled)
  assert.deepEqual(
    [daySpending(state, 'd1', 'w').tokens, daySpending(state, 'd1').tokens, daySpending(state, 'd2', 'w').tokens],
    [41, 41, 0],
  )
})

test('ledger: the kill switch refuses every run until it is lifted', () => {
  const stopped: LedgerEvent = { type: 'ledger.stopped', at: 1, data: { by: owner } }
  given(stopped).when({ type: 'reserve-spending', at, run: 'r', day: 'd', tokens: 0, money: 0 }).thenRefused('talks_stopped')
  given().when({ type: 'stop-talks', at, by: guest }).thenTypes('ledger.stopped')
  given(stopped).when({ type: 'resume-talks', at, by: guest }).thenRefused('owner_only')
  given(stopped).when({ type: 'resume-talks', at, by: owner }).thenTypes('ledger.resumed')
})
