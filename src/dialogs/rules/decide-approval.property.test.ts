import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ApprovalDecision, approvalDecisions } from '../../authority/audience.ts'
import { currentRole } from '../../authority/people.ts'
import { makePolicy } from '../../authority/test/samples.ts'
import type { Author, Role } from '../../authority/roles.ts'
import type { Approval } from './approval.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { type DialogState, initialDialog } from './dialog-state.ts'
import { approval as sampleApproval } from './test/dialog-facts.ts'

const rights = makePolicy({
  people: { mia: { role: 'owner' }, ann: { role: 'operator' }, bob: { role: 'member' }, cy: { role: 'member' } },
  policy: { approvers: ['bob'] },
})

const human = (id: string, role: Role): Participant => ({ kind: 'human', name: id, id, role })

/** `gone` was an owner once and is not listed any more. */
const people: readonly Participant[] = [
  human('person:mia', 'owner'),
  human('person:ann', 'operator'),
  human('person:bob', 'member'),
  human('person:cy', 'member'),
  human('person:gone', 'owner'),
  human('token:t1', 'operator'),
  human('telegram:main:9', 'guest'),
  human('telegram:main:8', 'group'),
  human('peer:k', 'peer'),
]

const author = ({ id = '', name, role = 'guest' }: Participant): Author => ({ id, name, role })

const approval = (terms: Pick<Approval, 'keys' | 'onceOnly' | 'irreversible'>, role: Role): Approval => ({
  ...sampleApproval,
  tool: 'pay',
  role,
  names: [],
  shown: { ...sampleApproval.shown, target: 'pay' },
  ...terms,
})

type Try = { by: Participant; decision: ApprovalDecision }
const attempt: fc.Arbitrary<Try> = fc.record({ by: fc.constantFrom(...people), decision: fc.constantFrom(...approvalDecisions) })

/** Things that happen around an approval and must not decide it. */
const noise: fc.Arbitrary<DialogCommand> = fc.oneof(
  fc.constantFrom(...people).map((by): DialogCommand => ({ at: 1, type: 'say', message: 'm', text: 'yes, allow it', by, via: 'telegram' })),
  fc.constant<DialogCommand>({ at: 1, type: 'expire-question', question: 'q' }),
  fc.constantFrom(...people).map((by): DialogCommand => ({ at: 1, type: 'refuse-answer', question: 'q', by, via: 'telegram' })),
)

function folded(commands: readonly DialogCommand[], from: DialogState = initialDialog): DialogState {
  return commands.reduce((state, command) => {
    const decision = decideDialog(state, command)
    return 'events' in decision ? decision.events.reduce(evolveDialog, state) : state
  }, from)
}

/** A dialog in which the call `c` of this person waits for the approval `q`. */
function waiting(by: Participant, terms: Pick<Approval, 'keys' | 'onceOnly' | 'irreversible'>): DialogState {
  return folded([
    { at: 1, type: 'open-dialog', agent: 'ada', by, language: 'en' },
    { at: 1, type: 'say', message: 'm', text: 'pay', by, via: 'web' },
    { at: 1, type: 'start-turn' },
    {
      at: 1,
      type: 'finish-generation',
      model: null,
      usage: { inputTokens: null, outputTokens: null },
      message: null,
      calls: [{ call: 'c', name: 'pay', input: {}, policy: 'ask' }],
      questions: [
        {
          question: 'q',
          call: 'c',
          purpose: 'approval',
          expiresAt: null,
          approval: approval(terms, by.role ?? 'guest'),
          ask: {
            text: 'Allow?',
            items: [{ id: 'decision', text: '', kind: 'choice', options: approvalDecisions.map((value) => ({ value, label: value })) }],
          },
        },
      ],
    },
    { at: 1, type: 'finish-turn', seen: 4 },
  ])
}

const answerBy = ({ by, decision }: Try, now: typeof rights = rights): DialogCommand => {
  const isStanding = decision === 'chat' || decision === 'always'
  const grant = {
    grant: 'g',
    agent: 'ada',
    tool: 'pay',
    toolHash: 'h',
    scope: 'tool(pay)',
    role: 'owner' as const,
    author: null,
    dialog: decision === 'chat' ? 'd' : null,
    until: 99,
    scripts: {},
  }
  return {
    at: 2,
    type: 'answer-question',
    question: 'q',
    answers: {},
    by,
    via: 'web',
    rights: now,
    approval: { decision, grants: isStanding ? [grant] : [] },
  }
}

const terms = fc.record({ keys: fc.integer({ min: 1, max: 3 }), onceOnly: fc.boolean(), irreversible: fc.boolean() })
const step = fc.oneof({ weight: 3, arbitrary: attempt }, { weight: 1, arbitrary: noise })
const isTry = (one: Try | DialogCommand): one is Try => 'decision' in one

test('A12, A13, A14, A17: only distinct people with the right to decide open an approval, and nothing else does', () => {
  let allowed = 0
  let refused = 0
  fc.assert(
    fc.property(fc.constantFrom(...people), terms, fc.array(step, { maxLength: 12 }), (requester, given, steps) => {
      let state = waiting(requester, given)
      assert.ok(state.questions['q'], 'the approval waits')
      const keys: Author[] = []
      for (const one of steps) {
        const before = state
        const command = isTry(one) ? answerBy(one) : one
        const decision = decideDialog(state, command)
        const events: DialogEvent[] = 'events' in decision ? decision.events : []
        state = events.reduce(evolveDialog, state)
        const isClosed = before.questions['q'] !== undefined && state.questions['q'] === undefined
        if (!isTry(one)) {
          assert.ok(!isClosed, `${command.type} closed the approval`)
          continue
        }
        if ('refused' in decision) refused += 1
        if (!before.questions['q']) {
          assert.ok('refused' in decision, 'a second answer is refused')
          continue
        }
        const role = currentRole(author(one.by), rights.people)
        const isCause = one.by.id === requester.id
        if (events.length > 0) {
          assert.ok(role === 'owner' || role === 'operator' || one.by.id === 'person:bob', `${one.by.id} decided`)
          assert.ok(role === 'owner' || !isCause, `${one.by.id} decided what they caused`)
          if (one.decision === 'always') assert.ok(role !== 'member' && !given.irreversible)
          if (one.decision === 'always' || one.decision === 'chat') assert.ok(!given.onceOnly)
        }
        if (events.some(({ type }) => type === 'approval.key-given')) {
          assert.ok(!keys.some(({ id }) => id === one.by.id), 'the same person gave two keys')
          keys.push(author(one.by))
        }
        if (isClosed && one.decision !== 'deny') {
          allowed += 1
          const all = [...keys, author(one.by)]
          assert.ok(all.length >= given.keys)
          assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
          if (given.keys > 1) assert.ok(all.filter(({ id }) => id === requester.id).length <= 1)
          for (const { id } of given.keys > 1 ? all : []) assert.ok(id.startsWith('person:'), 'a token gave a key')
        }
      }
    }),
    { numRuns: 2_000 },
  )
  assert.ok(allowed > 100 && refused > 1_000, `${allowed} allowed, ${refused} refused`)
})

test('A13: a key counts only while the person who gave it may still decide', () => {
  const [mia, ann] = [human('person:mia', 'owner'), human('person:ann', 'operator')]
  const once = (by: Participant): Try => ({ by, decision: 'once' })
  const half = folded([answerBy(once(ann))], waiting(human('telegram:main:9', 'guest'), { keys: 2, onceOnly: false, irreversible: false }))
  assert.equal(half.questions['q']?.keysGiven.length, 1)
  const without = { ...rights, people: rights.people.filter(({ key }) => key !== 'ann') }
  const types = (now: typeof rights): string[] => {
    const decision = decideDialog(half, answerBy(once(mia), now))
    return 'events' in decision ? decision.events.map(({ type }) => type) : []
  }
  assert.deepEqual(types(without), ['approval.key-given'])
  assert.deepEqual(types(rights), ['question.answered'])
})

test('A18: after a stop nothing of an approval is open, decided or not, and no answer changes that', () => {
  const stop: fc.Arbitrary<DialogCommand> = fc.constantFrom<DialogCommand>(
    { at: 3, type: 'latch-dialog', by: human('person:mia', 'owner'), via: 'web' },
    { at: 3, type: 'withdraw-approvals', by: human('person:mia', 'owner') },
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...people),
      terms,
      fc.array(attempt, { maxLength: 3 }),
      stop,
      attempt,
      (requester, given, tries, halt, late) => {
        const stopped = folded([...tries.map((one) => answerBy(one)), halt], waiting(requester, given))
        assert.deepEqual(stopped.questions, {})
        assert.deepEqual(stopped.calls, {}, 'the call has a result')
        const decision = decideDialog(stopped, answerBy(late))
        assert.ok('refused' in decision)
        const result = stopped.context.findLast((item) => item.kind === 'call')
        assert.equal(result?.kind === 'call' && result.result?.ok, false)
      },
    ),
    { numRuns: 500 },
  )
})
