import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetKeys, calendarDay, scopeFromKey } from './budget-scopes.ts'

const at = Date.UTC(2026, 10, 18, 23, 30)

test('budgetKeys: one key for each scope, and scopeFromKey reads the scope back', () => {
  const keys = budgetKeys({ root: 'd1', agent: 'booker', at, timeZone: 'UTC' })
  assert.deepEqual(keys, { dialog: 'dialog d1', agent: 'agent booker', day: 'day 2026-11-18', owner: 'owner' })
  for (const [scope, key] of Object.entries(keys)) assert.equal(scopeFromKey(key), scope)
})

test('calendarDay: the day of each time zone, and the next one a minute later', () => {
  assert.equal(calendarDay(at, 'UTC'), '2026-11-18')
  assert.equal(calendarDay(at, 'Europe/Berlin'), '2026-11-19')
  assert.equal(calendarDay(at, 'UTC'), '2026-11-18')
  assert.equal(calendarDay(at + 30 * 60_000 - 1, 'UTC'), '2026-11-18')
  assert.equal(calendarDay(at + 30 * 60_000, 'UTC'), '2026-11-19')
})
