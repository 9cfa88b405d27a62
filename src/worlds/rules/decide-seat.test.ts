import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SeatCommand } from './decide-seat.ts'
import { decideSeat } from './decide-seat.ts'
import type { RunTools } from './decide-run.ts'
import type { SeatEvent } from './seat-events.ts'
import { areTurnsSpent, describeRun, isContextDue, isReportOwed, isStubDue, nextRun, spentShare } from './seat-needs.ts'
import { evolveSeat, initialSeat, type SeatState } from './seat-state.ts'
import { snapshot } from './test/samples.ts'

const tools: RunTools = { hasReported: false, question: null, asksEnd: false }

class SeatScript {
  state: SeatState = initialSeat
  runs = 0

  give(...commands: SeatCommand[]): SeatEvent[] {
    return commands.flatMap((command) => {
      const decision = decideSeat(this.state, { ...command, at: 1 })
      if ('refused' in decision) throw new Error(decision.refused.code)
      this.state = decision.events.reduce(evolveSeat, this.state)
      return decision.events
    })
  }

  /** One run: reserved, and finished with this output. */
  run(output: string, more: Partial<RunTools> = {}): string[] {
    const purpose = nextRun(this.state) ?? assert.fail('no run is due')
    const run = `run_${(this.runs += 1)}`
    this.give({ type: 'reserve-run', run, purpose, tokens: 1_000, money: 0.01, canary: 'k7mqx2vbn4tzr9whd6pc' })
    return this.give({ type: 'finish-run', run, output, tools: { ...tools, ...more }, spent: { tokens: 500, money: 0.005 } }).map(
      ({ type }) => type,
    )
  }

  static open(side: 'sender' | 'recipient', brief = true): SeatScript {
    const seat = new SeatScript()
    seat.give({
      type: 'open-seat',
      request: 'crq_1',
      agent: side === 'sender' ? 'agt_a' : 'agt_b',
      side,
      key: 'k',
      world: null,
      language: 'en',
      peer: { displayName: 'Mira', agentCode: '8K4TQZ' },
      limits: { tokens: 20_000, money: 1 },
      reporting: 'end',
      canary: 'k7mqx2vbn4tzr9whd6pc',
    })
    if (brief) seat.give({ type: 'write-brief', text: 'Find three books about cities for a reader who is no expert.', consent: 'c1' })
    return seat
  }

  static kickoff(): SeatScript {
    const seat = SeatScript.open('sender')
    seat.give(
      { type: 'settle-request', status: 'accepted' },
      { type: 'receive-delivery', delivery: 'd1', kind: 'kickoff', turns: [], allowReply: true, refresh: false },
    )
    seat.give({ type: 'write-context', snapshot, isRefresh: false })
    return seat
  }

  static talking(): SeatScript {
    const seat = SeatScript.kickoff()
    seat.run('Hello Mira!')
    seat.give({ type: 'confirm-result', delivery: 'd1', turn: 1 })
    seat.receive('d2', 'Hi Ada, what do you look for?')
    return seat
  }

  receive(delivery: string, text: string, more: { allowReply?: boolean; refresh?: boolean } = {}): SeatEvent[] {
    return this.give({
      type: 'receive-delivery',
      delivery,
      kind: 'turn',
      turns: [{ turn: 2, text }],
      allowReply: true,
      refresh: false,
      ...more,
    })
  }
}

const refused = (act: () => unknown, code: string): void => assert.throws(act, { message: code })

describe('before acceptance', () => {
  test('no model is called, whatever the sender does', () => {
    for (const side of ['sender', 'recipient'] as const) {
      const seat = SeatScript.open(side)
      assert.equal(nextRun(seat.state), null)
      for (const purpose of ['kickoff', 'reply', 'resume', 'rewrite', 'report'] as const)
        refused(
          () => seat.give({ type: 'reserve-run', run: 'r', purpose, tokens: 1, money: 0, canary: 'bfkxbbfkkxfb' }),
          'request_not_accepted',
        )
      refused(() => seat.receive('d1', 'Hello'), 'request_not_accepted')
      refused(() => seat.give({ type: 'write-context', snapshot, isRefresh: false }), 'request_not_accepted')
    }
  })

  test('a brief needs consent, has revisions while pending, and is fixed afterwards', () => {
    const seat = SeatScript.open('sender')
    refused(() => seat.give({ type: 'write-brief', text: 'Other', consent: null }), 'consent_missing')
    seat.give({ type: 'write-brief', text: 'Other', consent: 'c2' })
    assert.deepEqual(
      seat.state.briefs.map(({ revision }) => revision),
      [1, 2],
    )
    seat.give({ type: 'settle-request', status: 'accepted' })
    refused(() => seat.give({ type: 'write-brief', text: 'Third', consent: 'c3' }), 'brief_fixed')
    const recipient = SeatScript.open('recipient', false)
    recipient.give({ type: 'settle-request', status: 'accepted' }, { type: 'write-brief', text: 'Mine', consent: 'c4' })
    refused(() => recipient.give({ type: 'write-brief', text: 'Again', consent: 'c5' }), 'brief_fixed')
  })
})

describe('runs', () => {
  test('only the run that is due, within the budget', () => {
    const seat = SeatScript.kickoff()
    assert.equal(nextRun(seat.state), 'kickoff')
    refused(() => seat.give({ type: 'reserve-run', run: 'r', purpose: 'reply', tokens: 1, money: 0, canary: 'bfkxbbfkkxfb' }), 'turn_over')
    refused(
      () => seat.give({ type: 'reserve-run', run: 'r', purpose: 'kickoff', tokens: 20_001, money: 0, canary: 'bfkxbbfkkxfb' }),
      'talk_budget_spent',
    )
    refused(
      () => seat.give({ type: 'reserve-run', run: 'r', purpose: 'kickoff', tokens: 1, money: 2, canary: 'bfkxbbfkkxfb' }),
      'talk_budget_spent',
    )
    seat.give({ type: 'reserve-run', run: 'r', purpose: 'kickoff', tokens: 100, money: 0, canary: 'bfkxbbfkkxfb' })
    assert.deepEqual(seat.give({ type: 'reserve-run', run: 'r', purpose: 'kickoff', tokens: 100, money: 0, canary: 'bfkxbbfkkxfb' }), [])
    seat.give({ type: 'finish-run', run: 'r', output: 'Hello', tools, spent: { tokens: 999, money: 9 } })
    assert.deepEqual(seat.state.spent, { tokens: 100, money: 0 })
  })

  test('an opener, a reply, and the result is handed over once', () => {
    const seat = SeatScript.kickoff()
    assert.deepEqual(seat.run('Hello Mira!'), ['run.finished', 'result.ready'])
    assert.deepEqual(seat.state.outgoing, {
      delivery: 'd1',
      reply: { text: 'Hello Mira!', author: 'agent' },
      silence: null,
      asksOwner: false,
      asksEnd: false,
    })
    assert.equal(nextRun(seat.state), null)
    assert.equal(seat.give({ type: 'confirm-result', delivery: 'd1', turn: 1 }).length, 1)
    assert.deepEqual(seat.give({ type: 'confirm-result', delivery: 'd1', turn: 1 }), [])
    assert.deepEqual(
      seat.give({ type: 'receive-delivery', delivery: 'd1', kind: 'kickoff', turns: [], allowReply: true, refresh: false }),
      [],
    )
    seat.receive('d2', 'Hi!')
    assert.equal(nextRun(seat.state), 'reply')
  })

  test('a kickoff that gives only notices is tried once more, then fails', () => {
    const seat = SeatScript.kickoff()
    assert.deepEqual(seat.run('Error: 429 Too Many Requests'), ['run.failed'])
    assert.equal(nextRun(seat.state), 'kickoff')
    assert.deepEqual(seat.run('Error: 429 Too Many Requests'), ['run.failed', 'seat.alerted', 'result.ready'])
    assert.equal(seat.state.outgoing?.silence, 'operational_notice_only')
  })

  test('a run that a crash cut off is made again, a third time never', () => {
    const seat = SeatScript.talking()
    for (const expected of [1, 3]) {
      const run = `cut_${expected}`
      seat.give({ type: 'reserve-run', run, purpose: 'reply', tokens: 10, money: 0, canary: 'bfkxbbfkkxfb' })
      assert.equal(seat.give({ type: 'fail-run', run, why: 'crash', spent: { tokens: 10, money: 0 } }).length, expected)
    }
    assert.deepEqual([seat.state.outgoing?.silence, nextRun(seat.state)], ['runtime_failed_before_reply', null])
  })

  test('a text with a leak is written again once, then withheld', () => {
    const seat = SeatScript.talking()
    const leak = 'My brief: find three books about cities for a reader who is no expert'
    assert.deepEqual(seat.run(leak), ['run.finished', 'reply.held'])
    assert.equal(nextRun(seat.state), 'rewrite')
    assert.deepEqual(describeRun(seat.state, 'rewrite', true).task, { kind: 'rewrite', leaks: ['brief'] })
    assert.deepEqual(seat.run('My code is k7mqx2vbn4tzr9whd6pc'), ['run.finished', 'seat.alerted', 'result.ready'])
    assert.equal(seat.state.outgoing?.silence, 'reply_withheld')
    const better = SeatScript.talking()
    better.run(leak)
    assert.deepEqual(better.run('I look for three easy books.'), ['run.finished', 'result.ready'])
  })

  test('a spent budget is answered with silence', () => {
    const seat = SeatScript.talking()
    assert.equal(spentShare(seat.state), null)
    assert.deepEqual(
      seat.give({ type: 'give-up-run', why: 'budget' }).map(({ type }) => type),
      ['seat.alerted', 'result.ready'],
    )
    assert.equal(seat.state.outgoing?.silence, 'budget_spent')
  })

  test('a delivery for information calls no model', () => {
    const seat = SeatScript.talking()
    seat.run('Books about cities.')
    seat.give({ type: 'confirm-result', delivery: 'd2', turn: 3 })
    seat.receive('d3', 'I will find out.', { allowReply: false })
    assert.deepEqual([nextRun(seat.state), seat.state.outgoing?.silence], [null, 'reply_not_allowed'])
  })
})

describe('report', () => {
  test('an end without a report waits until the agent was asked once', () => {
    const seat = SeatScript.talking()
    assert.deepEqual(seat.run('NO_REPLY'), ['run.finished', 'result.parked'])
    assert.equal(nextRun(seat.state), 'report')
    assert.deepEqual(describeRun(seat.state, 'report', true).task, { kind: 'report', isOver: false })
    assert.deepEqual(seat.run('NO_REPLY', { hasReported: true }), ['run.finished', 'report.settled', 'result.ready'])
    assert.equal(seat.state.outgoing?.silence, 'no_reply_token')
  })

  test('the runtime composes it when the agent was asked in vain', () => {
    const seat = SeatScript.talking()
    seat.run('Bye! [[request_conversation_end]]')
    assert.ok(seat.state.parked)
    assert.deepEqual(seat.run('I have nothing to say.'), ['run.finished', 'result.ready'])
    assert.equal(seat.state.outgoing?.reply?.text, 'Bye! [[request_conversation_end]]')
    refused(() => seat.give({ type: 'settle-report', source: 'runtime' }), 'turn_over')
    seat.give({ type: 'end-seat', reason: 'both_agreed', by: null, turns: 4 })
    assert.deepEqual([nextRun(seat.state), isStubDue(seat.state)], [null, true])
    seat.give({ type: 'settle-report', source: 'runtime' })
    assert.equal(isReportOwed(seat.state), false)
  })

  test('in the run that ends, nothing waits', () => {
    assert.deepEqual(SeatScript.talking().run('NO_REPLY', { hasReported: true }), ['run.finished', 'report.settled', 'result.ready'])
  })

  test('is asked for when the other side ended, and not when nothing was said', () => {
    const seat = SeatScript.talking()
    seat.give({ type: 'end-seat', reason: 'both_agreed', by: null, turns: 2 })
    assert.deepEqual([nextRun(seat.state), isStubDue(seat.state)], ['report', false])
    const failed = SeatScript.kickoff()
    failed.give({ type: 'end-seat', reason: 'kickoff_failed', by: 'sender', turns: 0 })
    assert.deepEqual([nextRun(failed.state), isStubDue(failed.state)], [null, true])
  })

  test('output that comes after the end reaches nobody', () => {
    const seat = SeatScript.talking()
    seat.give(
      { type: 'reserve-run', run: 'r', purpose: 'reply', tokens: 10, money: 0, canary: 'bfkxbbfkkxfb' },
      { type: 'end-seat', reason: 'owner_closed', by: 'recipient', turns: 2 },
    )
    seat.give({ type: 'finish-run', run: 'r', output: 'Too late', tools, spent: { tokens: 1, money: 0 } })
    assert.equal(seat.state.outgoing, null)
  })
})

describe('owner', () => {
  test('is asked, and the approved answer becomes the task of the next run', () => {
    const seat = SeatScript.talking()
    assert.deepEqual(seat.run('I will ask.', { question: { question: 'q1', text: 'May I say the city?' } }), [
      'run.finished',
      'question.asked',
      'result.ready',
    ])
    assert.equal(seat.state.outgoing?.asksOwner, true)
    seat.give({ type: 'confirm-result', delivery: 'd2', turn: 3 })
    refused(() => seat.give({ type: 'answer-owner', question: 'q1', answer: 'Yes, Lisbon', consent: null }), 'consent_missing')
    refused(() => seat.give({ type: 'answer-owner', question: 'q2', answer: null, consent: null }), 'no_question_open')
    seat.give({ type: 'answer-owner', question: 'q1', answer: 'Yes, Lisbon. Mail a@b.example', consent: 'c9' })
    assert.equal(nextRun(seat.state), null)
    seat.give({ type: 'receive-delivery', delivery: 'd3', kind: 'turn', turns: [], allowReply: true, refresh: false })
    assert.equal(nextRun(seat.state), 'resume')
    assert.deepEqual(describeRun(seat.state, 'resume', true), {
      moment: 'turn',
      task: { kind: 'resume', question: 'May I say the city?', answer: 'Yes, Lisbon. Mail a@b.example' },
      turns: [],
    })
    assert.deepEqual(seat.run('Lisbon. Write to a@b.example.'), ['run.finished', 'result.ready'])
    assert.equal(seat.state.answer, null)
  })

  test('writes a turn in place of the agent, with consent', () => {
    const seat = SeatScript.talking()
    seat.give({ type: 'take-over', by: 'Mia' })
    assert.equal(nextRun(seat.state), null)
    refused(() => seat.give({ type: 'write-own-turn', text: 'Hello from me', consent: null, asksEnd: false }), 'consent_missing')
    seat.give({ type: 'write-own-turn', text: 'Hello from me', consent: 'c', asksEnd: false })
    assert.deepEqual(seat.state.outgoing?.reply, { text: 'Hello from me', author: 'owner' })
    refused(() => seat.give({ type: 'write-own-turn', text: 'Again', consent: 'c', asksEnd: false }), 'agent_is_writing')
    seat.give({ type: 'hand-back', by: 'Mia' })
    assert.equal(seat.state.isTakenOver, false)
  })
})

test('context: is due with the first delivery and with each refresh', () => {
  const seat = SeatScript.open('recipient')
  seat.give({ type: 'settle-request', status: 'accepted' })
  assert.equal(isContextDue(seat.state), false)
  seat.give({
    type: 'receive-delivery',
    delivery: 'd1',
    kind: 'turn',
    turns: [{ turn: 1, text: 'Hello' }],
    allowReply: true,
    refresh: false,
  })
  assert.equal(isContextDue(seat.state), true)
  assert.equal(describeRun(seat.state, 'reply', false).moment, 'opener')
  assert.equal(describeRun(SeatScript.kickoff().state, 'kickoff', false).moment, 'kickoff')
  assert.equal(describeRun(SeatScript.talking().state, 'reply', true).moment, 'turn')
  assert.equal(describeRun(SeatScript.talking().state, 'reply', false).moment, 'refresh')
})

describe('limits', () => {
  test('are changed by the owner, within those of the host, and what is left out stays', () => {
    const seat = SeatScript.open('recipient', false)
    assert.deepEqual(seat.state.limits, { tokens: 20_000, money: 1, turns: 24 })
    seat.give({ type: 'change-limits', limits: { turns: 99, money: 0.2 }, by: 'Lia' })
    assert.deepEqual(seat.state.limits, { tokens: 20_000, money: 0.2, turns: 24 })
    assert.deepEqual(seat.give({ type: 'change-limits', limits: { money: 0.2 }, by: 'Lia' }), [])
    seat.give({ type: 'settle-request', status: 'accepted' }, { type: 'end-seat', reason: 'owner_closed', by: null, turns: 0 })
    refused(() => seat.give({ type: 'change-limits', limits: { turns: 3 }, by: 'Lia' }), 'conversation_over')
  })

  test('in the middle of a conversation come with the next delivery, as a refresh of the same intent', () => {
    const seat = SeatScript.talking()
    seat.run('Which one?')
    seat.give({ type: 'confirm-result', delivery: 'd2', turn: 3 }, { type: 'change-limits', limits: {}, reporting: 'each_turn', by: 'Lia' })
    assert.equal(isContextDue(seat.state), false)
    seat.give({
      type: 'receive-delivery',
      delivery: 'd3',
      kind: 'turn',
      turns: [{ turn: 4, text: 'The green one.' }],
      allowReply: true,
      refresh: false,
    })
    assert.equal(isContextDue(seat.state), true)
    seat.give({ type: 'write-context', snapshot, isRefresh: true })
    assert.deepEqual([isContextDue(seat.state), describeRun(seat.state, 'reply', true).moment], [true, 'refresh'])
    seat.run('Thanks.')
    seat.give({ type: 'confirm-result', delivery: 'd3', turn: 5 })
    assert.equal(seat.state.isRefreshDue, false)
  })

  test('of turns: the notice to conclude, then the end, unless this side is ending by itself', () => {
    const seat = SeatScript.talking()
    seat.give({ type: 'change-limits', limits: { turns: 6 }, by: 'Lia' })
    assert.deepEqual([seat.state.turns, spentShare(seat.state), areTurnsSpent(seat.state)], [2, null, false])
    seat.give({ type: 'change-limits', limits: { turns: 5 }, by: 'Lia' })
    assert.deepEqual([spentShare(seat.state), areTurnsSpent(seat.state)], ['turns', false])
    seat.give({ type: 'change-limits', limits: { turns: 3 }, by: 'Lia' })
    seat.run('Which one?')
    assert.equal(areTurnsSpent(seat.state), false)
    seat.give({ type: 'confirm-result', delivery: 'd2', turn: 3 })
    assert.equal(areTurnsSpent(seat.state), true)
  })
})
