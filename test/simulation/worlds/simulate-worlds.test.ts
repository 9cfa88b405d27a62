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

/** Every event of a type is stored as others. */
const changed = (type: string, change: (event: NewEvent) => NewEvent[]): Sabotage =>
  tampered(
    1,
    (unit) => hasEvent(unit, type),
    (unit) => mapEvents(unit, (event) => (event.type === type ? change(event) : [event])),
  )

const withData = (event: NewEvent, data: object): NewEvent => ({ ...event, data: { ...event.data, ...data } })

const twice = (event: NewEvent): NewEvent[] => [event, event]

const isByOwner = ({ data }: NewEvent): boolean => (data as { author?: string }).author === 'owner'

/** A turn of an agent takes the canary of a seat along. */
const leaking: Sabotage = (store) => {
  const canaries: string[] = []
  const gather = (event: NewEvent): NewEvent => {
    const { canary } = event.data as { canary?: string }
    if (canary !== undefined) canaries.push(canary)
    return event
  }
  return tampered(
    1,
    () => true,
    (unit) =>
      mapEvents(unit, (event) => [
        event.type === 'turn.added' && !isByOwner(event) ? withData(event, { text: `It is ${canaries.at(-1)}.` }) : gather(event),
      ]),
  )(store)
}

/** One planted fault for each rule. If the simulation ever stops noticing one, it has gone blind. */
const planted: Record<string, { rule: string; sabotage: Sabotage }> = {
  'the wake of a report is forgotten': {
    rule: 'report: that of',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'report.filed') && unit.wake !== undefined,
      (unit) => ({ ...unit, wake: [] }),
    ),
  },
  'a report is filed twice': { rule: 'report: ', sabotage: changed('report.filed', twice) },
  'a turn names the wrong turn before it': {
    rule: 'chain:',
    sabotage: changed('turn.added', (event) => [withData(event, { previous: '0'.repeat(64) })]),
  },
  'a brief is stored with another text than the owner approved': {
    rule: 'consent: a brief',
    sabotage: changed('brief.written', (event) => [withData(event, { text: 'x' })]),
  },
  'a delivery comes before the acceptance': {
    rule: 'consent: delivery.made',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'request.accepted'),
      (unit) => ({ ...unit, append: (unit.append ?? []).map((one) => ({ ...one, events: one.events.toReversed() })) }),
    ),
  },
  'an owner is not told that a conversation ended': { rule: 'told:', sabotage: changed('seat.ended', () => []) },
  'the end of a conversation is lost': { rule: 'rest:', sabotage: changed('conversation.ended', () => []) },
  'a conversation ends twice': { rule: 'ended:', sabotage: changed('conversation.ended', twice) },
  'a delivery has two results': { rule: 'once:', sabotage: changed('delivery.silent', twice) },
  'a turn of an owner is stored twice': {
    rule: 'written:',
    sabotage: changed('turn.added', (event) => (isByOwner(event) ? twice(event) : [event])),
  },
  'a canary leaves in a turn': { rule: 'leak:', sabotage: leaking },
  'a model runs before the owner accepted': {
    rule: 'stranger:',
    sabotage: changed('seat.opened', (event) => [event, { ...event, type: 'run.reserved', data: { run: 'run_planted', input: null } }]),
  },
  'two runs of a seat overlap': { rule: 'overlap:', sabotage: changed('run.reserved', twice) },
  'the budget of a day is passed': {
    rule: 'budget: over the day',
    sabotage: changed('budget.reserved', (event) => [withData(event, { tokens: 1_000_000_000 })]),
  },
  'a conversation has too many turns': {
    rule: 'budget: ',
    sabotage: changed('turn.added', (event) => Array.from({ length: 30 }, () => event)),
  },
}

for (const [fault, { rule, sabotage }] of Object.entries(planted)) {
  test(`worlds, planted: ${fault} — and the simulation says "${rule.trim()}"`, { timeout: 300_000 }, async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const isNoticed = await simulateWorlds(seed, sabotage).then(
        ({ violations }) => violations.some((violation) => violation.startsWith(rule)),
        () => false,
      )
      if (isNoticed) return
    }
    assert.fail('40 runs did not notice it')
  })
}
