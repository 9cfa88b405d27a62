import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewEvent, Unit } from '../../../src/ports/store.ts'
import type { Sabotage } from '../simulate.ts'
import { hasEvent, tampered } from '../tamper.ts'
import { simulateWorlds } from './simulate-worlds.ts'

test('worlds: random owners, agents, moderation and crashes: every rule holds in every run', { timeout: 300_000 }, async (t) => {
  const totals = { requests: 0, turns: 0, reports: 0, crashes: 0 }
  for (let seed = 1; seed <= 12; seed += 1) {
    const run = await simulateWorlds(seed)
    assert.deepEqual(run.violations, [], `seed ${seed}`)
    for (const name of ['requests', 'turns', 'reports', 'crashes'] as const) totals[name] += run[name]
  }
  t.diagnostic(JSON.stringify(totals))
  assert.ok(totals.requests > 25 && totals.turns > 25 && totals.reports > 15 && totals.crashes > 12, 'too little happened to say anything')
})

const mapEvents = (unit: Unit, change: (event: NewEvent) => NewEvent[]): Unit => ({
  ...unit,
  append: (unit.append ?? []).map((one) => ({ ...one, events: one.events.flatMap(change) })),
})

/** One planted fault for each kind of rule. If the simulation ever stops noticing one, it has gone blind. */
const planted: Record<string, { rule: string; sabotage: Sabotage }> = {
  'the wake of a report is forgotten': {
    rule: 'report',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'report.filed') && unit.wake !== undefined,
      (unit) => ({ ...unit, wake: [] }),
    ),
  },
  'a turn names the wrong turn before it': {
    rule: 'chain',
    sabotage: tampered(
      2,
      (unit) => hasEvent(unit, 'turn.added'),
      (unit) =>
        mapEvents(unit, (event) => [event.type === 'turn.added' ? { ...event, data: { ...event.data, previous: '0'.repeat(64) } } : event]),
    ),
  },
  'a brief is stored with another text than the owner approved': {
    rule: 'consent',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'brief.written'),
      (unit) => mapEvents(unit, (event) => [event.type === 'brief.written' ? { ...event, data: { ...event.data, text: 'x' } } : event]),
    ),
  },
  'an owner is not told that a conversation ended': {
    rule: 'told',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'seat.ended'),
      (unit) => mapEvents(unit, (event) => (event.type === 'seat.ended' ? [] : [event])),
    ),
  },
}

for (const [fault, { rule, sabotage }] of Object.entries(planted)) {
  test(`worlds, planted: ${fault} — and the simulation says "${rule}"`, { timeout: 300_000 }, async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const isNoticed = await simulateWorlds(seed, sabotage).then(
        ({ violations }) => violations.some((violation) => violation.startsWith(`${rule}:`)),
        () => false,
      )
      if (isNoticed) return
    }
    assert.fail('40 runs did not notice it')
  })
}
