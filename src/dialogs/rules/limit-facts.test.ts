import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetFacts } from './budget-scopes.ts'
import { isSameLimit, liftsLimit, limitFailure, type LimitFacts, raiseShare } from './limit-facts.ts'
import { limitQuestion } from './limit-question.ts'

const budget: BudgetFacts = { kind: 'budget', scope: 'dialog', key: 'dialog d1', unit: 'tokens', limit: 1_000, spent: 1_200 }
const generations: LimitFacts = { kind: 'generations', limit: 50 }
const decided = (decision: string) => ({ answers: { decision } })

test('isSameLimit: the same kind, and the same key of a budget', () => {
  assert.equal(isSameLimit(undefined, budget), false)
  assert.equal(isSameLimit(budget, { ...budget, spent: 5, limit: 6 }), true)
  assert.equal(isSameLimit(budget, { ...budget, key: 'dialog d2' }), false)
  assert.equal(isSameLimit(generations, { kind: 'generations', limit: 100 }), true)
  assert.equal(isSameLimit(generations, { kind: 'requests', limit: 50 }), false)
  assert.equal(isSameLimit(generations, budget), false)
})

test('raiseShare and liftsLimit: half and double raise, continue lifts, every other end leaves', () => {
  assert.deepEqual(
    ['half', 'double', 'continue', 'leave'].map((value) => raiseShare(decided(value))),
    [0.5, 1, 0, 0],
  )
  assert.deepEqual(
    ['half', 'double', 'continue', 'leave'].map((value) => liftsLimit(decided(value))),
    [true, true, true, false],
  )
  assert.equal(raiseShare({ answers: null }), 0)
  assert.equal(liftsLimit({ answers: null }), false)
})

test('limitFailure: the error of each limit', () => {
  assert.deepEqual(limitFailure(budget), {
    code: 'budget_spent',
    details: { scope: 'dialog', spent: 1_200, limit: 1_000, unit: 'tokens' },
  })
  assert.deepEqual(limitFailure(generations), { code: 'too_many_generations', details: { limit: 50 } })
  assert.deepEqual(limitFailure({ kind: 'requests', limit: 7 }), { code: 'too_many_requests_in_a_row', details: { limit: 7 } })
})

test('limitQuestion: a budget can be raised, a count can be continued, and a notice stops nothing', () => {
  const read = (facts: LimitFacts, percent?: number) =>
    limitQuestion('en', 'booker', facts, percent).items.map((item) =>
      item.kind === 'choice' ? item.options.map(({ value, label }) => `${value}: ${label}`) : [],
    )
  const [spent, notice, counted] = [read(budget)[0], read(budget, 80)[0], read(generations)[0]]
  assert.deepEqual(spent?.slice(0, 2), notice?.slice(0, 2))
  assert.notEqual(spent?.[2], notice?.[2])
  assert.deepEqual(
    [spent, notice, counted].map((options) => options?.map((option) => option.split(':')[0])),
    [
      ['half', 'double', 'leave'],
      ['half', 'double', 'leave'],
      ['continue', 'leave'],
    ],
  )
  const texts = [limitQuestion('en', 'booker', budget).text, limitQuestion('en', 'booker', budget, 80).text]
  assert.notEqual(texts[0], texts[1])
  assert.match(texts[1] ?? '', /80/)
})
