import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalLimits } from '../../dialogs/rules/approval.ts'
import { ParleyError } from '../../errors.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import type { Caller, GivenAnswer } from '../../shapes/parley.ts'
import { requestKey } from '../../streams/asking.ts'
import type { ApprovalCopy } from '../announce/announce-views.ts'
import type { ApprovalQuestion, CardTap } from '../announce/approval-message.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { approvalAnswers } from './approval-answers.ts'
import type { ControlTap } from './control-tap.ts'

const caller: Caller = { by: { kind: 'human', id: 'fake:7', name: 'Mia' }, via: 'fake', once: { key: 'tap:1', request: 'r' } }
const tap = { delivery: 'd', by: { id: '7', name: 'Mia' }, caller } as ControlTap
const options = ['once', 'chat', 'deny'].map((value) => ({ value, label: value }))

function approval(id: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  const view = { id, state: 'open', ask: { text: '', items: [{ id: 'decision', text: '', kind: 'choice', options }] }, closed: null }
  return { ...view, approval: { proposals: [], decision: null }, ...more } as unknown as ApprovalQuestion
}
const answered = (id: string): ApprovalQuestion =>
  approval(id, { state: 'answered', closed: { by: 'Ada', answers: { decision: 'once' } } as never })

const card = (more: Partial<ApprovalCopy> = {}): ApprovalCopy =>
  ({
    shows: 'card',
    delivery: 'd',
    channel: 'fake',
    address: 'a',
    questions: ['q1'],
    mode: 'decide',
    offered: ['once', 'deny'],
    ...more,
  }) as ApprovalCopy

/** Approvals with what was done about them. `deciders` may decide; without names everyone may. */
function scene(questions: readonly ApprovalQuestion[], how: { deciders?: readonly string[]; copy?: ApprovalCopy } = {}) {
  const store = memoryStore()
  const done: unknown[] = []
  const faults: Error[] = []
  const answers = approvalAnswers({
    store,
    parley: {
      questions: {
        async answer(question: string, given: GivenAnswer, { once }: Caller) {
          const fault = faults.shift()
          if (fault) throw fault
          done.push(['answer', question, given, once?.key])
          return approval(question)
        },
        async refusalFor(question, _caller, decision) {
          done.push(['asked', question, decision])
          return how.deciders ? { names: how.deciders } : null
        },
        recordRefusal: async (question: string) => void done.push(['refused', question]),
      },
    },
    outbox: {
      async plan({ address, message, once }) {
        done.push(['said', address, message.text, once])
        return { delivery: 'd2', isNew: true }
      },
    },
    copies: {
      find: async (delivery: string) => (delivery === 'd' ? (how.copy ?? null) : null),
      views: async (ids: readonly string[]) => questions.filter(({ id }) => ids.includes(id)),
      setMode: async (delivery: string, mode: string) => void done.push(['mode', delivery, mode]),
      showEach: async (delivery: string) => void done.push(['each', delivery]),
    } as never,
  })
  /** Calls that changed something, without the checks of who may decide. */
  const effects = () => done.filter((one) => (one as unknown[])[0] !== 'asked')
  const typed = (text: string, copy = card()) =>
    answers.typed(copy, { text, isPrivate: true, from: { id: '7', name: 'Mia' } } as InboundMessage, caller)
  const remember = async (question: string) => {
    const key = requestKey({ ...caller, once: { key: `tap:1/${question}`, request: 'r' } })
    await store.commit([{ once: [{ key, value: 1 }] }])
  }
  return { answers, done, effects, faults, typed, remember }
}

const toCard = (verb: CardTap['verb'], more: Partial<CardTap> = {}): CardTap => ({ verb, target: 'q1', ...more })
const both = card({ questions: ['q1', 'q2'] })

test('approval card: each button does its own thing, a decision under a key of its approval', async () => {
  const done = async (verb: CardTap['verb']) => {
    const { answers, effects } = scene([approval('q1'), approval('q2'), answered('q3')], { copy: card({ questions: ['q1', 'q2', 'q3'] }) })
    await answers.act(toCard(verb), tap)
    return effects()
  }
  const decided = (question: string, decision: string) => ['answer', question, { decision }, `tap:1/${question}`]
  for (const verb of ['once', 'chat', 'deny'] as const) assert.deepEqual(await done(verb), [decided('q1', verb)], verb)
  assert.deepEqual(await done('all'), [decided('q1', 'once'), decided('q2', 'once')], 'all that are open')
  assert.deepEqual(await done('none'), [decided('q1', 'deny'), decided('q2', 'deny')])
  assert.deepEqual(await done('each'), [['each', 'd']])
  assert.deepEqual(await done('always'), [['mode', 'd', 'scopes']])
  assert.deepEqual(await done('note'), [['mode', 'd', 'note']])
  assert.deepEqual(await done('back'), [['mode', 'd', 'decide']])
})

test('approval card: "all" goes on after an approval that others decided, and ends with another fault', async () => {
  const { answers, effects, faults } = scene([approval('q1'), approval('q2')], { copy: both })
  faults.push(new ParleyError('question_closed', { question: 'q1', outcome: 'answered', at: '' }))
  await answers.act(toCard('all'), tap)
  assert.deepEqual(
    effects().map((one) => (one as unknown[])[1]),
    ['q2'],
  )
  faults.push(new Error('disk'))
  await assert.rejects(answers.act(toCard('all'), tap), /disk/)
})

test('approval card: a scope is named unless it is the best one; a scope that is not offered decides nothing', async () => {
  const proposals = [[{ text: 'git *' }, { text: 'git push', where: { branch: 'main' } }, { text: 'git pull' }]]
  const given = async (scope: number | undefined, state: 'open' | 'answered' = 'open') => {
    const { answers, effects } = scene([approval('q1', { state, approval: { proposals } as never })])
    await answers.act(toCard('scope', scope === undefined ? {} : { scope }), tap)
    return effects().map((one) => (one as unknown[])[2])
  }
  assert.deepEqual(await given(0), [{ decision: 'always' }])
  assert.deepEqual(await given(undefined), [{ decision: 'always' }])
  assert.deepEqual(await given(1), [{ decision: 'always', scope: 'git push', where: { branch: 'main' } }])
  assert.deepEqual(await given(2), [{ decision: 'always', scope: 'git pull' }])
  assert.deepEqual(await given(3), [])
  assert.deepEqual(await given(0, 'answered'), [])
})

test('approval card: a person who may not decide is told who may, and that is recorded', async () => {
  const { answers, done } = scene([answered('q0'), approval('q1')], { deciders: ['Ada', 'Bo'] })
  assert.equal(await answers.refusal(toCard('chat'), tap), 'Only Ada, Bo can decide this.')
  assert.deepEqual(done, [
    ['asked', 'q1', 'chat'],
    ['refused', 'q1'],
  ])
})

test('approval card: a person is asked about the decision that a button leads to', async () => {
  const verbs = { once: 'once', chat: 'chat', always: 'always', scope: 'always', deny: 'deny', note: 'deny', back: 'deny' }
  for (const [verb, decision] of Object.entries({ ...verbs, all: 'once', none: 'deny', each: 'deny' })) {
    const { answers, done } = scene([approval('q1')])
    assert.equal(await answers.refusal(toCard(verb as CardTap['verb']), tap), null)
    assert.deepEqual(done, [['asked', 'q1', decision]], verb)
  }
})

test('approval card: no person is refused what is decided already, or what this very tap decided before a crash', async () => {
  const closed = scene([answered('q1')], { deciders: ['Ada'] })
  assert.equal(await closed.answers.refusal(toCard('once'), tap), null)
  const again = scene([approval('q1')], { deciders: ['Ada'] })
  await again.remember('q1')
  assert.equal(await again.answers.refusal(toCard('once'), tap), null)
  assert.deepEqual([closed.done, again.done], [[], []])
})

test('approval card: a tap is late when all its approvals are decided, unless this very tap decided one', async () => {
  const late = async (verb: CardTap['verb'], questions: readonly ApprovalQuestion[], remembered?: string) => {
    const { answers, remember } = scene(questions, { copy: both })
    if (remembered !== undefined) await remember(remembered)
    return answers.late(toCard(verb), tap)
  }
  assert.equal(await late('once', [approval('q1')]), null)
  assert.equal(await late('once', [answered('q1')]), 'Ada already decided: Allow once.')
  assert.equal(await late('once', [answered('q1')], 'q1'), null)
  assert.equal(await late('all', [answered('q1'), approval('q2')]), null)
  assert.equal(await late('once', [answered('q1'), approval('q2')]), 'Ada already decided: Allow once.', 'the other one is not meant')
  assert.equal(await late('none', [answered('q1'), answered('q2')]), 'Ada already decided: Allow once.')
  assert.equal(await late('once', []), null, 'an approval that is not known')
})

test('approval card: only the button for a note says what to do next', () => {
  const { answers } = scene([])
  assert.match(answers.toast(toCard('note'), tap) ?? '', /note|reply/i)
  assert.equal(answers.toast(toCard('deny'), tap), null)
})

test('approval reply: a label decides; any other text is for the dialog', async () => {
  const { typed, effects } = scene([approval('q1')])
  assert.equal(await typed('yes'), false)
  assert.equal(await typed(' allow ONCE '), true)
  assert.deepEqual(effects(), [['answer', 'q1', { decision: 'once' }, 'tap:1/q1']])
})

test('approval reply: it decides neither several approvals, nor a closed one, nor what the message does not offer', async () => {
  const cases: [string, readonly ApprovalQuestion[], ApprovalCopy?][] = [
    ['several', [approval('q1'), approval('q2')], both],
    ['closed', [answered('q1')]],
    ['not an option of the approval', [approval('q1', { ask: { text: '', items: [] } })]],
    ['not offered', [approval('q1')], card({ offered: ['deny'] })],
    ['nothing is known to be offered', [approval('q1')], { ...card(), offered: undefined } as unknown as ApprovalCopy],
    ['waiting line', [approval('q1')], card({ shows: 'waiting' })],
  ]
  for (const [why, questions, copy] of cases) {
    const { typed, effects } = scene(questions)
    assert.equal(await typed('Allow once', copy), false, why)
    assert.deepEqual(effects(), [], why)
  }
  const one = scene([approval('q1'), answered('q2')])
  assert.equal(await one.typed('Allow once', both), true, 'only one of them is open')
  const deny = scene([approval('q1')])
  assert.equal(await deny.typed('Deny', { ...card(), offered: undefined } as unknown as ApprovalCopy), true, 'a denial is always offered')
})

test('approval reply: a label by a person who may not decide is refused once in the chat; their other text is for the dialog', async () => {
  const { typed, effects } = scene([approval('q1')], { deciders: ['Ada'] })
  assert.equal(await typed('Allow once'), true)
  assert.deepEqual(effects(), [
    ['refused', 'q1'],
    ['said', 'a', 'Only Ada can decide this.', 'refused:q1:fake:7'],
  ])
  const note = scene([approval('q1')], { deciders: ['Ada'] })
  assert.equal(await note.typed('please not', card({ mode: 'note' })), false)
  assert.deepEqual(note.effects(), [])
})

test('approval reply: where a note was asked for, a text denies with it, cut to its limit', async () => {
  const { typed, effects } = scene([approval('q1')])
  const copy = card({ mode: 'note' })
  assert.equal(await typed(` ${'n'.repeat(approvalLimits.noteChars + 1)} `, copy), true)
  assert.equal(await typed('Deny', copy), true)
  assert.deepEqual(
    effects().map((one) => (one as unknown[])[2]),
    [{ decision: 'deny', note: 'n'.repeat(approvalLimits.noteChars) }, { decision: 'deny' }],
  )
})

test('approval reply: one that comes too late is for the dialog; one that could not be stored is tried again', async () => {
  const { typed, faults } = scene([approval('q1')])
  faults.push(new ParleyError('question_closed', { question: 'q1', outcome: 'answered', at: '' }), new Error('disk'))
  assert.equal(await typed('Allow once'), false)
  await assert.rejects(typed('Allow once'), /disk/)
})
