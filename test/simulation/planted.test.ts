import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredEvent, Unit } from '../../src/ports/store.ts'
import { type Sabotage, simulate } from './simulate.ts'
import { hasEvent, tampered } from './tamper.ts'

/** Changes a message on its way to the agent: it is in the log, but no generation has read it. */
const asOtherWords = (event: StoredEvent): StoredEvent =>
  event.type === 'message.said' && (event.data as { turn: unknown }).turn === null
    ? { ...event, data: { ...event.data, text: 'other words' } }
    : event

const asRepeatable = (event: StoredEvent): StoredEvent =>
  event.type === 'tool.called' ? { ...event, data: { ...event.data, policy: 'repeat' } } : event

const startedTwice = <Event extends { type: string }>(event: Event): Event[] => (event.type === 'turn.started' ? [event, event] : [event])

const asAllowed = (event: StoredEvent): StoredEvent =>
  event.type === 'question.answered' && (event.data as { decision?: string }).decision === 'deny'
    ? { ...event, data: { ...event.data, decision: 'once' } }
    : event

const withoutCost = <Event extends { type: string; data: object }>(event: Event): Event =>
  event.type === 'generation.finished' ? event : { ...event, data: { ...event.data, spent: undefined } }

/** The cost of a generation is in the log, but not in the sum that its budget is checked by. */
function withoutCostIn(group: string): Sabotage {
  const isCost = (sum: NonNullable<Unit['sums']>[number]): boolean => sum.group === group && 'tokens' in sum.add && sum.bounds === undefined
  return tampered(
    1,
    (unit) => unit.sums?.some(isCost) === true,
    (unit) => ({ ...unit, sums: (unit.sums ?? []).filter((sum) => !isCost(sum)) }),
  )
}

/** One planted fault for each rule. If the simulation ever stops noticing one, it has gone blind. */
const planted: Record<string, { rule: string; sabotage: Sabotage }> = {
  'a message is acknowledged but not written': {
    rule: 'lost',
    sabotage: (store) => ({
      ...store,
      hints: store.hints,
      async commit(units) {
        return store.commit(
          units.map((unit) =>
            hasEvent(unit, 'message.said') && unit.append?.length === 1 && !unit.lease
              ? {
                  ...unit,
                  append: unit.append.map((one) => ({
                    ...one,
                    events: one.events.map((event) => ({ ...event, data: { ...event.data, text: 'x' } })),
                  })),
                }
              : unit,
          ),
        )
      },
    }),
  },
  'what was said does not reach the agent': {
    rule: 'unheard',
    sabotage: (store) => ({ ...store, hints: store.hints, read: async (...args) => (await store.read(...args)).map(asOtherWords) }),
  },
  'a turn is started twice': {
    rule: 'overlap',
    sabotage: tampered(
      3,
      (unit) => hasEvent(unit, 'turn.started'),
      (unit) => ({ ...unit, append: (unit.append ?? []).map((one) => ({ ...one, events: one.events.flatMap(startedTwice) })) }),
    ),
  },
  'a reply does not reach who asked': {
    rule: 'replies',
    sabotage: tampered(
      3,
      (unit) => hasEvent(unit, 'reply.received'),
      (unit) => ({ ...unit, append: (unit.append ?? []).filter(({ events }) => events[0]?.type !== 'reply.received') }),
    ),
  },
  'a wake is forgotten': {
    rule: 'waits',
    sabotage: tampered(
      4,
      (unit) => unit.wake?.some(({ kind }) => kind === 'turn') === true,
      (unit) => ({ ...unit, wake: [] }),
    ),
  },
  'an answer is written twice': {
    rule: 'questions',
    sabotage: tampered(
      2,
      (unit) => hasEvent(unit, 'question.answered') && !unit.lease,
      (unit) => ({ ...unit, append: (unit.append ?? []).map((one) => ({ ...one, events: [...one.events, ...one.events] })) }),
    ),
  },
  'a row of a view is not written': {
    rule: 'views',
    sabotage: tampered(
      5,
      (unit) => (unit.rows?.length ?? 0) > 0,
      (unit) => ({ ...unit, rows: [] }),
    ),
  },
  'what was spent is forgotten': {
    rule: 'budget',
    sabotage: withoutCostIn('dialog'),
  },
  'what was spent on a day is forgotten': {
    rule: 'day',
    sabotage: withoutCostIn('day'),
  },
  'what a failed generation cost is not written': {
    rule: 'metered',
    sabotage: tampered(
      1,
      (unit) => hasEvent(unit, 'generation.failed') || hasEvent(unit, 'turn.failed') || hasEvent(unit, 'turn.cut'),
      (unit) => ({ ...unit, append: (unit.append ?? []).map((one) => ({ ...one, events: one.events.map(withoutCost) })) }),
    ),
  },
  'a denied approval is read as an allowed one': {
    rule: 'unasked',
    sabotage: (store) => ({ ...store, hints: store.hints, read: async (...args) => (await store.read(...args)).map(asAllowed) }),
  },
  'a call that may do harm is taken for a harmless one': {
    rule: 'twice',
    sabotage: (store) => ({ ...store, hints: store.hints, read: async (...args) => (await store.read(...args)).map(asRepeatable) }),
  },
}

for (const [fault, { rule, sabotage }] of Object.entries(planted)) {
  test(`planted: ${fault} — and the simulation says "${rule}"`, { timeout: 900_000 }, async () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const noticed = await simulate(seed, sabotage).then(
        (run) => run.violations.some((violation) => violation.startsWith(`${rule}:`)),
        () => false,
      )
      if (noticed) return
    }
    assert.fail('150 runs did not notice it')
  })
}
