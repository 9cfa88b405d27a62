import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type ApprovalDecision,
  approvalDecisions,
  type ApprovalTerms,
  listApprovers,
  mayAnswer,
  mayDecide,
  offeredDecisions,
  questionAudience,
} from './audience.ts'
import { toAuthor } from './people.ts'
import { type Author, roles } from './roles.ts'
import { author, causedBy, makePolicy } from './test/samples.ts'
import { readTyped } from './typed-answer.ts'

const policy = makePolicy()
const person = (key: string): Author => toAuthor({ surface: 'page', person: key }, policy.people)
const [mia, ann, bob] = [person('mia'), person('ann'), person('bob')]
const terms = (by: readonly Author[], more: Partial<ApprovalTerms> = {}): ApprovalTerms => ({
  cause: causedBy('guest', by),
  keys: 1,
  approvers: [],
  onceOnly: false,
  irreversible: false,
  ...more,
})
const outcome = (decision: ApprovalDecision, who: Author, given: ApprovalTerms, keys: readonly Author[] = []): string => {
  const result = mayDecide(decision, who, given, policy, keys)
  return 'refused' in result ? result.refused : 'ok'
}

describe('who decides an approval', () => {
  const table: readonly [name: string, who: Author, by: readonly Author[], decision: ApprovalDecision, expected: string][] = [
    ['owner, of a guest', mia, [author('guest')], 'always', 'ok'],
    ['owner, of their own call', mia, [mia], 'once', 'ok'],
    ['terminal, of the owner’s call', author('owner', 'person:owner'), [mia], 'once', 'ok'],
    ['operator, of a guest', ann, [author('guest')], 'always', 'ok'],
    ['operator, of their own call', ann, [ann], 'once', 'caused-it'],
    ['operator, with others in the turn', ann, [author('guest'), ann], 'deny', 'caused-it'],
    ['listed member', bob, [author('guest')], 'chat', 'ok'],
    ['listed member, always', bob, [author('guest')], 'always', 'always-not-yours'],
    ['listed member, of their own call', bob, [bob], 'once', 'caused-it'],
    ['another member', author('member', 'person:eve'), [author('guest')], 'once', 'not-an-approver'],
    ['2 guest taps', author('guest', 'telegram:main:9'), [author('guest')], 'once', 'not-an-approver'],
    ['group member taps', author('group', 'telegram:main:8'), [mia], 'once', 'not-an-approver'],
    ['an operator who was taken off the list', author('operator', 'person:gone'), [author('guest')], 'once', 'not-an-approver'],
  ]
  for (const [name, who, by, decision, expected] of table)
    it(`${name}: ${decision} → ${expected}`, () => assert.equal(outcome(decision, who, terms(by)), expected))

  it('A12: only an owner approves what they caused', () => {
    const anyone = fc.tuple(
      fc.constantFrom(...roles),
      fc.constantFrom('person:mia', 'person:ann', 'person:bob', 'token:1', 'telegram:main:9'),
    )
    fc.assert(
      fc.property(anyone, fc.constantFrom(...approvalDecisions), ([role, id], decision) => {
        const who = author(role, id)
        const result = mayDecide(decision, who, terms([who]), policy)
        if ('role' in result) assert.equal(result.role, 'owner')
      }),
    )
  })

  it('A13: n keys are n persons, at most one of them in by', () => {
    const two = terms([mia], { keys: 2 })
    assert.equal(outcome('once', mia, two), 'ok')
    const slack = toAuthor({ surface: 'private', platform: 'slack', account: 's', sender: 'T1/U3', name: 'M' }, policy.people)
    assert.equal(outcome('once', slack, two, [mia]), 'same-person', 'attack 22')
    assert.equal(outcome('once', author('owner', 'person:owner'), two, [mia]), 'same-person')
    assert.equal(outcome('once', ann, two, [mia]), 'ok')
    assert.equal(outcome('once', author('operator', 'token:1'), two, [mia]), 'not-a-person')
    assert.equal(outcome('deny', ann, two), 'ok', 'one Deny closes')
    const both = { ...policy, people: [...policy.people, { key: 'max', name: 'max', role: 'owner' as const, identities: [] }] }
    const max = author('owner', 'person:max')
    assert.deepEqual(mayDecide('once', max, terms([mia, max], { keys: 2 }), both, [mia]), { refused: 'caused-it' })
  })

  it('offers what may be decided: once only, irreversible, member', () => {
    const guest = [author('guest')]
    assert.deepEqual(offeredDecisions(mia, terms(guest), policy), ['once', 'chat', 'always', 'deny'])
    assert.deepEqual(offeredDecisions(bob, terms(guest), policy), ['once', 'chat', 'deny'])
    assert.deepEqual(offeredDecisions(mia, terms(guest, { onceOnly: true }), policy), ['once', 'deny'])
    assert.deepEqual(offeredDecisions(mia, terms(guest, { irreversible: true }), policy), ['deny', 'once', 'chat'])
    assert.deepEqual(offeredDecisions(author('guest'), terms(guest), policy), [])
  })

  it('names those who could decide', () => {
    const names = (by: readonly Author[]): string[] => listApprovers(terms(by), policy).map(({ name }) => name)
    assert.deepEqual(names([author('guest')]), ['mia', 'ann', 'bob'])
    assert.deepEqual(names([ann]), ['mia', 'bob'])
    assert.deepEqual(
      listApprovers(terms([]), { people: [], approvers: [] }).map(({ id }) => id),
      ['person:owner'],
    )
  })
})

describe('ordinary questions', () => {
  const guest = author('guest', 'telegram:main:9')
  it('go to those who caused the turn; owner and operators may always answer', () => {
    const audience = questionAudience(causedBy('guest', [guest]))
    assert.deepEqual(audience, { kind: 'authors', ids: [guest.id] })
    assert.deepEqual(
      [guest, mia, ann, bob, author('guest', 'other')].map((who) => mayAnswer(who, audience)),
      [true, true, true, false, false],
    )
  })
  it('go to the owner for peers, and to everyone only in a group', () => {
    assert.equal(questionAudience({ ...causedBy('peer'), origin: 'peer' }).kind, 'owner')
    assert.equal(questionAudience(causedBy('guest'), 'everyone').kind, 'authors')
    assert.equal(questionAudience(causedBy('group'), 'everyone', true).kind, 'everyone')
    assert.equal(questionAudience(causedBy('group'), 'owner').kind, 'owner')
    assert.equal(questionAudience({ by: [], role: 'owner', origin: 'message' }).kind, 'owner')
    assert.ok(mayAnswer(author('group', 'x'), { kind: 'everyone' }))
    assert.ok(!mayAnswer(author('peer', 'x'), { kind: 'everyone' }))
  })
})

describe('typed answers', () => {
  const rows: readonly [name: string, given: Parameters<typeof readTyped>[0], expected: object][] = [
    ['3 stranger types "Allow once"', { text: 'Allow once', isPrivate: false, openForAuthor: 0 }, { kind: 'message' }],
    [
      '3 as reply to the card',
      { text: 'Allow once', isPrivate: false, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: false } },
      { kind: 'refused' },
    ],
    [
      'approver replies with a label',
      { text: ' allow once ', isPrivate: true, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: true } },
      { kind: 'decision', decision: 'once' },
    ],
    [
      'approver replies in Chinese',
      { text: '拒绝', isPrivate: true, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: true } },
      { kind: 'decision', decision: 'deny' },
    ],
    [
      'approver replies yes',
      { text: 'yes', isPrivate: true, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: true } },
      { kind: 'message' },
    ],
    ['approver types a label without a reply', { text: 'Allow once', isPrivate: true, openForAuthor: 0 }, { kind: 'message' }],
    [
      'always needs a scope',
      { text: 'Always allow…', isPrivate: true, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: true } },
      { kind: 'message' },
    ],
    ['one open question in private', { text: 'blue', isPrivate: true, openForAuthor: 1 }, { kind: 'answer' }],
    ['two open questions in private', { text: 'blue', isPrivate: true, openForAuthor: 2 }, { kind: 'message' }],
    ['one open question in a group', { text: 'blue', isPrivate: false, openForAuthor: 1 }, { kind: 'message' }],
    [
      'reply in a group',
      { text: 'blue', isPrivate: false, openForAuthor: 1, repliesTo: { isApproval: false, isForAuthor: true } },
      { kind: 'answer' },
    ],
    [
      'reply of another in a group',
      { text: 'blue', isPrivate: false, openForAuthor: 0, repliesTo: { isApproval: false, isForAuthor: false } },
      { kind: 'refused' },
    ],
  ]
  for (const [name, given, expected] of rows)
    it(`${name} → ${JSON.stringify(expected)}`, () => assert.deepEqual(readTyped(given), expected))
})
