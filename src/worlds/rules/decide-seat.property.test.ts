import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideSeat, type SeatCommand } from './decide-seat.ts'
import type { Timed } from './decision.ts'
import { nextRun } from './seat-needs.ts'
import { evolveSeat, initialSeat, type SeatState } from './seat-state.ts'
import { checkDecider, generateCommands } from './test/play.ts'
import { snapshot } from './test/samples.ts'

const consent = fc.constantFrom('c1', 'c2', 'c3', null)
const run = fc.constantFrom('fit', 'fit', 'fit', 'r1')
const spent = fc.record({ tokens: fc.integer({ min: 0, max: 9_000 }), money: fc.double({ min: 0, max: 0.3, noNaN: true }) })
const output = fc.constantFrom(
  'Hello',
  'NO_REPLY',
  'Bye\nNO_REPLY',
  'Error: 429',
  '',
  'k7mqx2vbn4tzr9whd6pc',
  'Mail x@y.example',
  'Bye [[request_conversation_end]]',
  'x'.repeat(5_000),
)
const tools = fc.record({
  hasReported: fc.boolean(),
  question: fc.constantFrom(null, null, null, { question: 'q1', text: 'May I?' }),
  asksEnd: fc.constantFrom(false, false, false, true),
})

const commands = generateCommands<SeatCommand>(
  {
    'open-seat': {
      request: fc.constant('crq_1'),
      agent: fc.constant('agt_a'),
      side: fc.constantFrom('sender', 'recipient'),
      key: fc.constant('k'),
      world: fc.constant(null),
      language: fc.constant('en'),
      peer: fc.constant({ displayName: 'Mira', agentCode: '8K4TQZ' }),
      limits: fc.constant({ tokens: 20_000, money: 1 }),
      reporting: fc.constantFrom('none', 'end', 'milestones', 'each_turn'),
      canary: fc.constant('k7mqx2vbn4tzr9whd6pc'),
    },
    'change-limits': {
      limits: fc.record({ tokens: fc.constantFrom(15_000, 20_000), turns: fc.integer({ min: -1, max: 99 }) }, { requiredKeys: [] }),
      reporting: fc.constantFrom('none', 'end'),
      by: fc.constant('Mia'),
    },
    'write-brief': { text: fc.constantFrom('Find books.', 'Be kind.', ' '), consent },
    'settle-request': { status: fc.constantFrom('accepted', 'accepted', 'accepted', 'rejected') },
    'write-context': { snapshot: fc.constant(snapshot), isRefresh: fc.boolean() },
    'receive-delivery': {
      delivery: fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5'),
      kind: fc.constantFrom('kickoff', 'turn'),
      turns: fc.constantFrom([], [{ turn: 1, text: 'Hello' }]),
      allowReply: fc.constantFrom(true, true, true, false),
      refresh: fc.boolean(),
    },
    'confirm-result': { delivery: fc.constantFrom('fit', 'fit', 'fit', null), turn: fc.constant(1) },
    'answer-owner': { question: fc.constant('q1'), answer: fc.constantFrom('Yes', null), consent },
    'take-over': { by: fc.constant('Mia') },
    'hand-back': { by: fc.constant('Mia') },
    'write-own-turn': { text: fc.constantFrom('From me', ' '), consent, asksEnd: fc.boolean() },
    'end-seat': { reason: fc.constantFrom('both_agreed', 'budget_spent', 'kickoff_failed'), by: fc.constant(null), turns: fc.nat(5) },
    'settle-alert': { alert: fc.integer({ min: 0, max: 3 }) },
    'settle-report': { source: fc.constantFrom('agent', 'runtime') },
    'reserve-run': {
      run,
      purpose: fc.constantFrom('fit', 'fit', 'fit', 'report'),
      tokens: fc.integer({ min: 0, max: 6_000 }),
      money: fc.double({ min: 0, max: 0.3, noNaN: true }),
      canary: fc.constant('k7mqx2vbn4tzr9whd6pc'),
    },
    'finish-run': { run, output, tools, spent },
    'fail-run': { run, why: fc.constantFrom('crash', 'failure'), spent },
    'give-up-run': { why: fc.constantFrom('budget', 'stopped') },
  },
  { 'open-seat': 8, 'settle-request': 4, 'receive-delivery': 8, 'reserve-run': 12, 'finish-run': 10, 'confirm-result': 8, 'end-seat': 1 },
)

function fit(state: SeatState, command: Timed<SeatCommand>): Timed<SeatCommand> {
  const fitted = { ...command } as Record<string, unknown>
  if (fitted.run === 'fit') fitted.run = state.run?.run ?? `r${state.runs + 10}`
  if (fitted.purpose === 'fit') fitted.purpose = nextRun(state) ?? 'reply'
  if (fitted.delivery === 'fit') fitted.delivery = state.outgoing?.delivery ?? 'none'
  return fitted as Timed<SeatCommand>
}

const decider = { initial: initialSeat, decide: decideSeat, evolve: evolveSeat }

test('seat: no model is called before acceptance, and never two at once', () => {
  checkDecider(
    decider,
    commands,
    (steps) => {
      for (const { before, events } of steps)
        for (const event of events ?? [])
          if (event.type === 'run.reserved') {
            assert.equal(before.status, 'accepted')
            assert.equal(before.run, null)
            assert.equal(event.data.purpose, nextRun(before))
          }
    },
    fit,
  )
})

test('seat: reserved and spent never pass the limits', () => {
  checkDecider(
    decider,
    commands,
    (steps) => {
      for (const { after } of steps) {
        if (after.seq === 0) continue
        assert.ok(after.spent.tokens + (after.run?.tokens ?? 0) <= after.limits.tokens)
        assert.ok(after.spent.money + (after.run?.money ?? 0) <= after.limits.money + 1e-9)
      }
    },
    fit,
  )
})

test('seat: each delivery has at most one result, the report is settled at most once, and no held text leaves', () => {
  checkDecider(
    decider,
    commands,
    (steps) => {
      const answered = new Set<string>()
      let reports = 0
      for (const event of steps.flatMap((step) => step.events ?? [])) {
        if (event.type === 'result.ready') {
          const { delivery, reply } = event.data.result
          assert.ok(reply === null || reply.author === 'owner' || !reply.text.includes('k7mqx2'))
          assert.ok((reply?.text.length ?? 0) <= 4_000)
          if (delivery === null) continue
          assert.ok(!answered.has(delivery), delivery)
          answered.add(delivery)
        }
        if (event.type === 'report.settled') reports += 1
      }
      assert.ok(reports <= 1)
    },
    fit,
  )
})
