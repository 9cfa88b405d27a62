import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evolveAccount, initialAccount } from './account-state.ts'
import { chatPolicyModes } from './chat-policy.ts'
import { type AccountCommand, decideAccount } from './decide-account.ts'
import { decideLedger, type LedgerCommand } from './decide-ledger.ts'
import { decideReport, type ReportCommand } from './decide-report.ts'
import { decideWorld, type WorldCommand } from './decide-world.ts'
import { consentKinds } from './ledger-events.ts'
import { daySpending, evolveLedger, initialLedger } from './ledger-state.ts'
import { evolveReport, initialReport } from './report-state.ts'
import { checkDecider, generateCommands } from './test/play.ts'
import { owner, worldFacts } from './test/samples.ts'
import { dayMs, worldLimits } from './world-limits.ts'
import { evolveWorld, initialWorld } from './world-state.ts'

const text = fc.oneof(fc.constantFrom('Ada', 'Books', ' ', 'a#b', 'x'.repeat(5_000)), fc.string({ maxLength: 20 }))
const agent = fc.constantFrom('agt_a', 'agt_b', 'agt_c')
const id = (prefix: string): fc.Arbitrary<string> => fc.integer({ min: 1, max: 4 }).map((number) => `${prefix}${number}`)
const author = fc.constantFrom(owner, { id: 'g', name: 'Gus', role: 'guest' as const })

test('account: the code never changes, and requests keep to the throttle', () => {
  const commands = generateCommands<AccountCommand>(
    {
      'open-account': {
        agent: fc.constant('agt_a'),
        code: fc.constantFrom('7QX2MN', '7QX2MN', '8K4TQZ', 'bad'),
        language: fc.constantFrom('en', 'zh'),
      },
      'name-account': { displayName: text },
      'describe-account': { profile: text },
      'set-policy': {
        policy: fc.record({ mode: fc.constantFrom(...chatPolicyModes), blocks: fc.constant({ originTypes: [], worldIds: [] }) }),
      },
      'set-key': { key: id('k'), previous: fc.option(id('k')) },
      'block-agent': { agent, code: fc.constant('8K4TQZ') },
      'unblock-agent': { agent },
      'trust-agent': { agent, request: id('r') },
      'untrust-agent': { agent },
      'count-request': { request: fc.string({ minLength: 3, maxLength: 6 }), to: agent, purpose: fc.option(text) },
      'count-acceptance': { request: id('r') },
      'report-account': { report: id('p'), by: agent, request: fc.option(id('r')), reason: text, excerpt: text },
      'close-account': { why: fc.constantFrom('owner', 'host') },
    },
    { 'open-account': 8, 'name-account': 6, 'describe-account': 6, 'count-request': 30, 'close-account': 1 },
  )
  checkDecider({ initial: initialAccount, decide: decideAccount, evolve: evolveAccount }, commands, (steps) => {
    const codes = new Set(steps.flatMap(({ after }) => (after.seq === 0 ? [] : [after.code])))
    assert.ok(codes.size <= 1)
    for (const { after, command } of steps) {
      const recent = after.requests.filter(({ at }) => at > command.at - dayMs)
      assert.ok(
        recent.length <=
          (after.acceptances < worldLimits.newAccountAcceptances ? worldLimits.newAccountRequests : worldLimits.accountRequests),
      )
      assert.ok(!after.trusted.some((each) => Object.hasOwn(after.blocked, each)))
    }
  })
})

test('world: its owner stays, banned agents are no members, and broadcasts are a day apart', () => {
  const reason = fc.constantFrom('spam', '', 'rude')
  const outcome = fc.constantFrom('dismissed', 'banned')
  const by = fc.constantFrom('agt_a', 'agt_a', 'agt_a', 'agt_b')
  const commands = generateCommands<WorldCommand>(
    {
      'create-world': {
        world: fc.constant('w'),
        by: fc.constant('agt_a'),
        facts: fc.constant(worldFacts),
        text: fc.constant('Talk.'),
        membership: id('m'),
        joinText: fc.constant('me'),
      },
      'edit-world': { by, facts: fc.constantFrom(worldFacts, { ...worldFacts, visibility: 'private' }) },
      'edit-world-text': { by, text },
      'set-world-status': { by, status: fc.constantFrom('enabled', 'paused') },
      'join-world': { agent, membership: id('m'), text, version: fc.integer({ min: 1, max: 3 }) },
      'edit-membership': { agent, text },
      'read-world-text': { agent, version: fc.integer({ min: 1, max: 3 }) },
      'leave-world': { agent },
      'invite-agent': { invite: id('i'), agent, by },
      'revoke-invite': { invite: id('i'), by },
      'make-broadcast': { broadcast: id('b'), by, purpose: text },
      'count-in-world': { what: fc.constantFrom('conversation', 'like', 'dislike'), request: id('r'), from: agent, to: agent },
      'remove-member': { agent, by, reason },
      'mute-member': { agent, by, reason },
      'unmute-member': { agent, by },
      'ban-agent': { agent, code: fc.constant('8K4TQZ'), by, reason },
      'unban-agent': { agent, by },
      'report-member': { report: id('p'), agent, by: agent, request: fc.option(id('r')), reason, excerpt: text },
      'settle-report': { report: id('p'), by, outcome },
    },
    { 'create-world': 10, 'join-world': 8 },
  )
  checkDecider({ initial: initialWorld, decide: decideWorld, evolve: evolveWorld }, commands, (steps) => {
    const broadcasts = steps.flatMap((step) => step.events ?? []).filter(({ type }) => type === 'broadcast.made')
    for (const [index, { at }] of broadcasts.entries()) assert.ok(index === 0 || at - (broadcasts[index - 1]?.at ?? 0) >= dayMs)
    for (const { after } of steps) {
      if (after.seq === 0) continue
      assert.equal(after.members[after.owner]?.status, 'active')
      for (const banned of Object.keys(after.bans)) assert.notEqual(after.members[banned]?.status, 'active')
    }
  })
})

test('ledger: the budget of a day holds, and nothing is reserved while talks are stopped', () => {
  const amount = { tokens: fc.integer({ min: 0, max: 900_000 }), money: fc.integer({ min: 0, max: 2 }) }
  const kind = fc.constantFrom(...consentKinds)
  const commands = generateCommands<LedgerCommand>(
    {
      'record-consent': { consent: id('c'), kind, text, about: fc.constant(null), by: author, surface: fc.constant('web') },
      'set-standing-brief': { world: fc.option(id('w')), text: fc.option(text) },
      'set-day-budget': {
        budget: fc.constant({ tokens: 2_000_000, money: 5 }),
        by: author,
        world: fc.constantFrom(undefined, 'w'),
      },
      'reserve-spending': { run: id('r'), day: fc.constantFrom('d1', 'd1', 'd1', 'd2'), world: fc.constantFrom('w', 'v'), ...amount },
      'settle-spending': { run: id('r'), ...amount },
      'stop-talks': { by: author },
      'resume-talks': { by: author },
    },
    { 'reserve-spending': 12, 'settle-spending': 8, 'resume-talks': 6 },
  )
  checkDecider({ initial: initialLedger, decide: decideLedger, evolve: evolveLedger }, commands, (steps) => {
    for (const { before, after, events } of steps)
      for (const event of events ?? [])
        if (event.type === 'budget.reserved') {
          assert.equal(before.stopped, null)
          const spent = daySpending(after, event.data.day)
          assert.ok(spent.tokens <= after.budget.tokens && spent.money <= after.budget.money)
        }
  })
})

test('report: one is filed, whatever is tried', () => {
  const facts = {
    peer: 'Mira#8K4TQZ',
    world: null,
    turns: 1,
    money: 0,
    endedBy: 'you',
    reason: 'both_agreed',
    likes: { given: null, received: null },
  } as const
  const commands = generateCommands<ReportCommand>({
    'note-progress': { request: fc.constant('crq_1'), agent: fc.constant('agt_a'), turn: fc.integer({ min: 1, max: 30 }), text },
    'file-report': {
      request: fc.constant('crq_1'),
      agent: fc.constant('agt_a'),
      text,
      source: fc.constantFrom('agent', 'runtime'),
      announce: fc.constantFrom('required', 'skip', 'default'),
    },
    'complete-report': { facts: fc.constant(facts) },
    'store-report': { dialog: id('d'), message: id('m') },
    'end-announcement': { outcome: fc.constantFrom('told', 'skipped') },
  })
  checkDecider({ initial: initialReport, decide: decideReport, evolve: evolveReport }, commands, (steps) => {
    const events = steps.flatMap((step) => step.events ?? [])
    for (const type of ['report.filed', 'report.completed', 'report.stored', 'report.announced'] as const)
      assert.ok(events.filter((event) => event.type === type).length <= 1, type)
  })
})
