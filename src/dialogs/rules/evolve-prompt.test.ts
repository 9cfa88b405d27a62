import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptTexts } from '../../words/index.ts'
import type { DialogEvent } from './dialog-events.ts'
import { dialogLimits } from './dialog-state.ts'
import { joinReplies } from './evolve-prompt.ts'
import type { Snapshot } from './prompt/prompt-facts.ts'
import type { PromptItem } from './prompt/prompt-items.ts'
import { itemsToSend } from './prompt/prompt-list.ts'
import { askHuman } from './question.ts'
import { markers } from './tellask.ts'
import {
  agent,
  approval,
  asked,
  called,
  failed,
  fold,
  opened,
  openedAside,
  owner,
  said,
  started,
  tellaskMade,
  tellaskReceived,
} from './test/dialog-facts.ts'

const prompt = (...events: DialogEvent[]) => {
  const state = fold(...events).prompt
  assert.ok(state)
  return state
}
/** The items a model reads, without those that a test does not look at. */
const items = (kind: PromptItem['kind'], ...events: DialogEvent[]): unknown[] =>
  itemsToSend(prompt(...events).list)
    .filter((item) => item.kind === kind)
    .map((item) =>
      item.kind === 'arrival'
        ? item.arrival
        : item.kind === 'note'
          ? item.note
          : item.kind === 'output'
            ? item.parts
            : item.kind === 'result'
              ? item.result
              : item,
    )

const snapshot: Snapshot = { memories: null, taskdoc: null, reminders: [], sections: { goal: 'h1' } }
const course = (number = 1, why: 'first' | 'asked' | 'forced' = 'first', more: object = { snapshot, offset: 60 }): DialogEvent => ({
  type: 'course.started',
  at: 3,
  data: { course: number, why, prompt: '', ...more },
})
const epoch = (why: 'course' | 'tools' = 'course'): DialogEvent => ({
  type: 'epoch.started',
  at: 3,
  data: { why, system: 's', tools: [], team: [], maker: 'm', resultChars: 500, offset: 60 },
})
const usage = { inputTokens: 70, outputTokens: 1 }
/** A finished generation of a model with its words and calls, as it is committed. */
function generated(text: string, calls: { call: string; name: string; input?: unknown }[] = [], more: object = {}): DialogEvent[] {
  const output = [
    ...(text === '' ? [] : [{ type: 'words' as const, chars: text.length }]),
    ...calls.map(({ call }) => ({ type: 'call' as const, call })),
  ]
  return [
    { type: 'generation.finished', at: 4, data: { turn: 1, generation: 1, model: 'm', usage, output, ...more } },
    ...(text === '' ? [] : [said({ by: agent, text, turn: 1, via: null }, 4)]),
    ...calls.map(({ call, name, input = {} }) => called(call, { name, input })),
  ]
}
const model = [opened(), said(), started(), course(), epoch()]
const words = (text: string) => [{ type: 'words', text }]

test('prompt: an output is read once all its words and calls are in the log', () => {
  const all = generated('Hello', [{ call: 'c1', name: 'act', input: { a: 1 } }])
  const call = { type: 'call', call: 'c1', name: 'act', input: { a: 1 } }
  assert.deepEqual(items('output', ...model, ...all), [[...words('Hello'), call]])
  assert.deepEqual(items('output', ...model, ...all.slice(0, 1)), [])
  assert.deepEqual(items('output', ...model, ...all.slice(0, 2)), [])
  assert.deepEqual(items('output', ...model, ...generated('Hello')), [words('Hello')])
})

test('prompt: words of one message are split as the model wrote them, each with its phase', () => {
  const [finish, ...rest] = generated('Onetwo')
  assert.ok(finish?.type === 'generation.finished')
  const output = [
    { type: 'words' as const, chars: 3, phase: 'commentary' },
    { type: 'reasoning' as const, maker: 'm', data: 'r' },
    { type: 'words' as const, chars: 3 },
  ]
  assert.deepEqual(items('output', ...model, { ...finish, data: { ...finish.data, output } }, ...rest), [
    [
      { type: 'words', text: 'One', phase: 'commentary' },
      { type: 'reasoning', maker: 'm', data: 'r' },
      { type: 'words', text: 'two' },
    ],
  ])
})

test('prompt: input of a call that is no object is passed on as unreadable', () => {
  const input = (value: unknown) => {
    const [parts] = items('output', ...model, ...generated('', [{ call: 'c1', name: 'act', input: value }])) as { input: unknown }[][]
    return parts?.[0]?.input
  }
  assert.deepEqual(input({ a: 1 }), { a: 1 })
  assert.deepEqual(input([1]), { unreadable: [1] })
  assert.deepEqual(input('x'), { unreadable: 'x' })
  assert.deepEqual(input(null), { unreadable: null })
})

test('prompt: a message that came while the model worked follows the output', () => {
  const kinds = itemsToSend(prompt(...model, said({ text: 'late' }), ...generated('Hello', [], { seen: 5 })).list).map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(-2), ['output', 'arrival'])
})

test('prompt: the count of the provider goes with the items it counted; the size of the prompt goes before the input', () => {
  const { counted, generations, haltedAt } = prompt(...model, ...generated('Hello'))
  assert.deepEqual([counted?.tokens, generations, haltedAt], [70, 1, null])
  const state = prompt(...model, ...generated('Hello', [], { promptTokens: 50 }))
  assert.deepEqual([state.counted?.tokens, state.counted?.items], [50, state.list.sentItems])
  assert.equal(prompt(...model, ...generated('Hello', [], { usage: { inputTokens: null, outputTokens: null } })).counted, null)
})

test('prompt: a generation of an agent that is no model counts, and ends the epoch', () => {
  const plain: DialogEvent = { type: 'generation.finished', at: 4, data: { turn: 1, generation: 1, model: null, usage } }
  const { epoch: current, generations } = prompt(...model, ...generated('Hello'), plain)
  assert.deepEqual([current, generations], [null, 2])
})

test('prompt: a course begins with its reason and new counters; one without a snapshot is none for a model', () => {
  const busy = [
    ...model,
    ...generated('Hello'),
    { type: 'prompt.compacted', at: 5, data: { keepOutputs: 1, longestChars: 10, most: 5 } } as const,
    {
      type: 'prompt.noted',
      at: 5,
      data: {
        notes: [
          { kind: 'caution', used: 1, window: 2 },
          { kind: 'critical', steps: 3 },
        ],
      },
    } as const,
    { type: 'course.requested', at: 5, data: { by: owner, via: null } } as const,
  ]
  const before = prompt(...busy)
  assert.deepEqual([before.compactions, before.cautionAt, before.criticalLeft, before.courseDue, before.counted], [1, 1, 3, 'person', null])
  const after = prompt(...busy, course(2, 'asked'))
  assert.deepEqual(
    [
      after.isForced,
      after.generations,
      after.compactions,
      after.cautionAt,
      after.criticalLeft,
      after.courseDue,
      after.sections,
      after.list.course,
    ],
    [false, 0, 0, null, null, null, { goal: 'h1' }, 2],
  )
  const plain = prompt(...busy, course(2, 'forced', {}))
  assert.deepEqual([plain.isForced, plain.sections, plain.list.course], [true, {}, 1])
})

test('prompt: a dialog begins without generations and compactions', () => {
  const { generations, compactions, isForced } = prompt(opened())
  assert.deepEqual([generations, compactions, isForced], [0, 0, false])
})

test('prompt: an epoch within a course is a fact of its own; both set the length of results', () => {
  const [first, second] = [prompt(...model), prompt(...model, epoch('tools'))]
  assert.deepEqual([first.list.epoch, first.list.resultChars, second.list.epoch], [2, 500, 3])
})

test('prompt: a context that overflowed makes a course due, where the generation is tried again', () => {
  const fail = (code: 'context_overflow' | 'model_unreachable', retryAt: number | null) =>
    prompt(...model, { type: 'generation.failed', at: 4, data: { turn: 1, code, details: {}, retryAt } }).courseDue
  assert.deepEqual([fail('context_overflow', 9), fail('context_overflow', null), fail('model_unreachable', 9)], ['overflow', null, null])
})

test('prompt: tools and teammates that are gone are remembered until the next epoch', () => {
  const noted: DialogEvent = {
    type: 'prompt.noted',
    at: 5,
    data: {
      notes: [{ kind: 'tool-gone', tool: 'act' }, { kind: 'team', change: 'left', agent: 'bob' }, { kind: 'diligence' }],
    },
  }
  assert.deepEqual(prompt(...model, noted).gone, ['act', '@bob'])
  assert.deepEqual(prompt(...model, noted, epoch('tools')).gone, [])
  assert.deepEqual(items('note', ...model, noted).length, 3)
})

test('prompt: a section of the task document is known by its hash, other data has none', () => {
  const told = (hash?: string): DialogEvent => ({
    type: 'prompt.told',
    at: 5,
    data: { block: 'task-document', name: 'plan', text: 'New', ...(hash === undefined ? {} : { hash }) },
  })
  assert.deepEqual(prompt(...model, told('h2')).sections, { goal: 'h1', plan: 'h2' })
  assert.deepEqual(prompt(...model, told()).sections, { goal: 'h1' })
  assert.deepEqual(items('arrival', ...model, ...generated('Hello'), told()).slice(1), [
    { kind: 'data', block: 'task-document', name: 'plan', text: 'New', at: 5, offset: 60 },
  ])
})

const tried: DialogEvent = { type: 'generation.started', at: 4, data: { turn: 1, generation: 1 } }
const stopped = (text: string | null, by?: string): DialogEvent => ({
  type: 'turn.stopped',
  at: 6,
  data: { turn: 1, text, ...(by === undefined ? {} : { held: { by, dialog: null } }) },
})
const latch: DialogEvent = { type: 'latch.set', at: 5, data: { by: owner, via: null } }

test('prompt: a stop leaves the words so far and says who stopped; a failure leaves no note', () => {
  assert.deepEqual(items('output', ...model, tried, stopped('Half')), [words('Half')])
  assert.deepEqual(items('output', ...model, stopped('Half')), [])
  const notes = (...events: DialogEvent[]) => items('note', ...model, ...events)
  assert.deepEqual(notes(tried, stopped(null, 'mia')), [{ kind: 'stopped', by: 'mia' }])
  assert.deepEqual(notes(tried, stopped(null, 'parley')), [{ kind: 'stopped', by: '' }])
  assert.deepEqual(notes(tried, latch, stopped(null)), [{ kind: 'stopped', by: 'mia' }])
  assert.deepEqual(notes(tried, failed()), [])
})

test('prompt: a dialog that is continued after a stop or a failure says who did it and how long it took, once', () => {
  const continued: DialogEvent = { type: 'dialog.continued', at: 16, data: { by: owner, via: null } }
  const lifted: DialogEvent = { type: 'latch.lifted', at: 16, data: { by: owner, via: null } }
  const note = { kind: 'continued', by: 'mia', passedMs: 10 }
  assert.deepEqual(items('note', ...model, failed(), continued), [note])
  assert.deepEqual(items('note', ...model, failed(), lifted), [note])
  assert.deepEqual(items('note', ...model, failed(), continued, continued), [note])
  assert.deepEqual(items('note', ...model, continued), [])
  assert.equal(prompt(...model, { type: 'course.requested', at: 5, data: { by: owner, via: null } }, failed()).courseDue, null)
})

test('prompt: results of tools are texts; other values are written as JSON', () => {
  const result = (output: unknown) =>
    items('result', ...model, ...generated('', [{ call: 'c1', name: 'act' }]), {
      type: 'tool.returned',
      at: 6,
      data: { call: 'c1', ok: true, output },
    })
  assert.deepEqual(result('text'), [{ is: 'outcome', ok: true, text: 'text' }])
  assert.deepEqual(result(null), [{ is: 'outcome', ok: true, text: '' }])
  assert.deepEqual(result({ a: 1 }), [{ is: 'outcome', ok: true, text: '{"a":1}' }])
  assert.deepEqual(result(undefined), [{ is: 'outcome', ok: true, text: '' }])
})

test('prompt: a call that waits says for what', () => {
  const waits = (name: string, ...events: DialogEvent[]) => items('result', ...model, ...generated('', [{ call: 'c1', name }]), ...events)
  const waiting = (handle: string, on: object) => [{ is: 'waiting', handle, waiting: on }]
  assert.deepEqual(waits(askHuman, asked('q1', { call: 'c1' })), waiting('q1', { for: 'question' }))
  assert.deepEqual(waits('act', asked('q1', { call: 'c1', purpose: 'approval', approval })), waiting('o1', { for: 'approval' }))
  assert.deepEqual(waits('tellask', tellaskMade('t1')), waiting('t1', { for: 'request', agent: 'bob' }))
  assert.deepEqual(
    waits('act', asked('q1', { call: 'c1' })),
    [{ is: 'interrupted' }],
    'a question of the runtime about a call after a crash',
  )
})

test('prompt: the end of a question is the result of its call, in words that name the person', () => {
  const end = (event: DialogEvent) => {
    const [result] = items('result', ...model, ...generated('', [{ call: 'c1', name: askHuman }]), asked('q1', { call: 'c1' }), event) as {
      text: string
    }[]
    return result?.text
  }
  const texts = promptTexts.en
  assert.match(
    end({ type: 'question.answered', at: 7, data: { question: 'q1', answers: { name: 'Bo' }, by: owner, via: null } }) ?? '',
    /Bo/,
  )
  assert.equal(
    end({ type: 'question.declined', at: 7, data: { question: 'q1', reason: 'no', by: owner, via: null } }),
    texts.declined('mia', 'no'),
  )
  assert.equal(end({ type: 'question.cancelled', at: 7, data: { question: 'q1', reason: null, why: null, by: agent } }), texts.withdrawn)
  assert.equal(end({ type: 'question.expired', at: 7, data: { question: 'q1' } }), texts.expired)
})

const received = (tellask: string, text: string, more: object = {}): DialogEvent => ({
  type: 'reply.received',
  at: 8,
  data: { tellask, outcome: 'replied', text, ...more },
})

test('prompt: one reply keeps its status, several are numbered, and a failed request says so', () => {
  const replies = (made: DialogEvent[], ...events: DialogEvent[]) =>
    items('result', ...model, ...generated('', [{ call: 'c1', name: 'tellask' }]), ...made, ...events) as { text: string }[]
  const text = (made: DialogEvent[], ...events: DialogEvent[]) => replies(made, ...events)[0]?.text ?? ''
  const one = [tellaskMade('t1')]
  assert.match(text(one, received('t1', 'Fine', { status: 'partial' })), /Fine/)
  assert.notEqual(text(one, received('t1', 'Fine', { status: 'partial' })), text(one, received('t1', 'Fine')))
  assert.notEqual(text(one, received('t1', 'Fine', { outcome: 'failed' })), text(one, received('t1', 'Fine')))
  assert.match(text(one, received('t1', `${markers.done}\nFine`)), new RegExp(markers.done), 'an older reply keeps its marker')
  const two = [tellaskMade('t1'), tellaskMade('t2')]
  assert.equal(text(two, received('t1', 'One'), received('t2', 'Two')), '#1\nOne\n\n#2\nTwo')
  assert.deepEqual(replies(two, received('t1', 'One')), [{ is: 'waiting', handle: 't1', waiting: { for: 'request', agent: 'bob' } }])
  assert.equal(joinReplies([{ text: 'One' }]), 'One')
})

test('prompt: a request of another dialog arrives when it is its turn, and a question asked back names its call', () => {
  const side = [
    openedAside(),
    tellaskReceived('t1', { content: `${markers.done} Do it` }),
    tellaskReceived('t2', { mode: 'reasoning', session: null }),
  ]
  const arrival = { kind: 'request', from: 'ada', session: 's', text: 'Do it', isReasoning: false }
  const pick = (list: unknown[]) =>
    (list as Record<string, unknown>[]).map(({ at: _at, offset: _offset, handle: _handle, ...rest }) => rest)
  assert.deepEqual(pick(items('arrival', ...side)), [arrival])
  const replied: DialogEvent = { type: 'reply.given', at: 8, data: { tellask: 't1', text: '' } }
  assert.deepEqual(pick(items('arrival', ...side, replied)), [arrival, { ...arrival, session: null, isReasoning: true }])
  assert.deepEqual(
    prompt(...side, replied).list.openRequests.map(({ id }) => id),
    ['t2'],
  )
  const back = tellaskReceived('b1', { mode: 'back', from: 'd2', by: 'bob', content: 'Which?', about: 'Do it' })
  const asking = [
    ...model,
    ...generated('', [
      { call: 'c1', name: 'tellask' },
      { call: 'c2', name: 'tellask' },
    ]),
    tellaskMade('t1'),
    tellaskMade('t2', 'c2', { to: 'd3' }),
  ]
  const [, first] = items('arrival', ...asking, back) as { kind: string; about: string | null }[]
  assert.deepEqual([first?.kind, first?.about], ['ask-back', 't1'])
  const [, other] = items('arrival', ...asking, { ...back, data: { ...back.data, from: 'd3' } } as DialogEvent) as {
    about: string | null
  }[]
  assert.equal(other?.about, 't2')
})

test('prompt: a dead dialog owes no replies', () => {
  const side = [openedAside(), tellaskReceived('t1')]
  assert.equal(prompt(...side).list.openRequests.length, 1)
  assert.equal(prompt(...side, { type: 'dialog.died', at: 8, data: { by: owner, note: null } }).list.openRequests.length, 0)
})

const reply = (...events: DialogEvent[]) => fold(...events).reply
const spoken = (text: string): DialogEvent => said({ by: agent, text, turn: 1, via: null })
const working = [openedAside(), tellaskReceived('t1'), started()]

test('reply: words since the request are kept, and those that answer a person are marked', () => {
  assert.deepEqual(reply(...working, spoken('One'), spoken('Two')).words, [
    { text: 'One', isToPerson: false },
    { text: 'Two', isToPerson: false },
  ])
  assert.equal(reply(...working, spoken('One'), spoken('Two')).wordChars, 6)
  assert.deepEqual(reply(...working, said(), spoken('To you'), spoken('More')).words, [
    { text: 'To you', isToPerson: true },
    { text: 'More', isToPerson: false },
  ])
  assert.deepEqual(reply(...working, stopped('Half')).words, [{ text: 'Half', isToPerson: false }])
  assert.deepEqual(reply(...working, stopped(null)).words, [])
  assert.deepEqual(reply(opened(), said(), started(), spoken('One')).words, [], 'without a request there is no reply')
})

test('reply: words that a person did not hear of before are not for that person', () => {
  const generation = (seen: number): DialogEvent => ({
    type: 'generation.finished',
    at: 4,
    data: { turn: 1, generation: 1, model: null, usage, seen },
  })
  assert.equal(reply(...working, said(), generation(3), spoken('One')).words[0]?.isToPerson, false)
  assert.equal(reply(...working, said(), generation(4), spoken('One')).words[0]?.isToPerson, true)
})

test('reply: words beyond the limit are left out', () => {
  const half = 'x'.repeat(dialogLimits.replyChars / 2)
  assert.equal(reply(...working, spoken(half), spoken(half)).wordChars, dialogLimits.replyChars)
  assert.equal(reply(...working, spoken(half), spoken(`${half}y`)).words.length, 1)
})

test('reply: the next request and a reply begin anew, a question asked back does not', () => {
  const given = (tellask: string): DialogEvent => ({ type: 'reply.given', at: 8, data: { tellask, text: '' } })
  const back = tellaskReceived('b1', { mode: 'back' })
  const begun = [...working, spoken('One')]
  assert.equal(reply(...begun, back).words.length, 1)
  assert.equal(reply(...begun, tellaskReceived('t2')).words.length, 1)
  assert.deepEqual(
    [reply(...begun, given('t1')).words, reply(...begun, given('t1')).wordChars, reply(...begun, given('t1')).givenSeq],
    [[], 0, 5],
  )
  assert.deepEqual([reply(...begun, back, given('b1')).words.length, reply(...begun, back, given('b1')).givenSeq], [1, 0])
  assert.equal(reply(...begun, given('t1'), spoken('x'), tellaskReceived('t3')).wordChars, 0)
})

test('reply: a nudge is remembered with the words so far, or with the questions asked back', () => {
  const nudge = (handle: string): DialogEvent => ({
    type: 'prompt.noted',
    at: 6,
    data: { notes: [{ kind: 'diligence' }, { kind: 'reply-nudge', handle }] },
  })
  const back = tellaskReceived('b1', { mode: 'back' })
  assert.deepEqual(
    [reply(...working, spoken('One'), nudge('r1')).nudgedAt, reply(...working, spoken('One'), nudge('r1')).nudgedBacks],
    [1, []],
  )
  assert.deepEqual([reply(...working, back, nudge('b1')).nudgedAt, reply(...working, back, nudge('b1')).nudgedBacks], [null, ['b1']])
  assert.equal(reply(...working, { type: 'prompt.noted', at: 6, data: { notes: [{ kind: 'diligence' }] } }).nudgedAt, null)
})

test('reply: a call that was refused for its text is remembered until the next reply', () => {
  const returned = (output: string, ok: boolean): DialogEvent => ({ type: 'tool.returned', at: 6, data: { call: 'c1', ok, output } })
  const { replyWithoutText } = promptTexts.en
  const was = (...events: DialogEvent[]) => reply(...working, called('c1'), ...events).wasRefusedForText
  assert.deepEqual(
    [was(returned(replyWithoutText, false)), was(returned(replyWithoutText, true)), was(returned('else', false))],
    [true, false, false],
  )
  const back = tellaskReceived('b1', { mode: 'back' })
  assert.equal(was(back, returned(replyWithoutText, false), { type: 'reply.given', at: 8, data: { tellask: 'b1', text: '' } }), false)
})
