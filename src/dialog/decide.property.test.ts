import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decide, type DialogCommand } from './decide.ts'
import type { DialogEvent, Participant } from './events.ts'
import { askHuman, evolve } from './evolve.ts'
import { followUps } from './follow-ups.ts'
import { faultOf, type Question } from './question.ts'
import { dialogLimits, type DialogState, initialDialog, needsTurn } from './state.ts'

const human: Participant = { kind: 'human', name: 'owner' }
const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('hi', ' ', '😀', '\ud800', 'x'.repeat(200)))
const id = (prefix: string): fc.Arbitrary<string> => fc.integer({ min: 1, max: 4 }).map((number) => `${prefix}${number}`)
const item: fc.Arbitrary<Question['items'][number]> = fc.oneof(
  fc.record({ id: id('i'), text, kind: fc.constant('text' as const) }),
  fc.record({
    id: id('i'),
    text,
    kind: fc.constant('choice' as const),
    options: fc.array(fc.record({ value: id('v'), label: text }), { maxLength: 3 }),
  }),
)
const question: fc.Arbitrary<Question> = fc.record({ text, items: fc.array(item, { maxLength: 3 }) })
const answers = fc.dictionary(id('i'), fc.oneof(id('v'), text))
const expiresAt = fc.option(fc.integer({ min: 0, max: 1e6 }))
const usage = { inputTokens: null, outputTokens: null }
const calls = fc.array(
  fc.record({
    call: id('c'),
    name: fc.constantFrom('act', askHuman),
    input: fc.constant({}),
    policy: fc.constantFrom('repeat' as const, 'ask' as const),
  }),
  { maxLength: 2 },
)
const askedQuestion = fc.record({ question: id('q'), call: fc.option(id('c')), ask: question, expiresAt })

const command: fc.Arbitrary<DialogCommand> = fc
  .tuple(
    fc.integer({ min: 0, max: 1e6 }),
    fc.oneof(
      fc.record({
        type: fc.constant('open-dialog' as const),
        agent: fc.constant('ada'),
        by: fc.constant(human),
        language: fc.constantFrom('en' as const, 'zh' as const),
      }),
      fc.record({ type: fc.constant('say' as const), message: id('m'), text, by: fc.constant(human) }),
      fc.record({ type: fc.constant('title-dialog' as const), title: text, by: fc.constantFrom('human' as const, 'agent' as const) }),
      fc.record({ type: fc.constant('answer-question' as const), question: id('q'), answers, by: fc.constant(human) }),
      fc.record({ type: fc.constant('decline-question' as const), question: id('q'), by: fc.constant(human) }),
      fc.record({ type: fc.constant('cancel-question' as const), question: id('q'), by: fc.constant(human) }),
      fc.record({ type: fc.constant('expire-question' as const), question: id('q') }),
      fc.record({ type: fc.constant('request-stop' as const), by: fc.constant(human) }),
      fc.record({ type: fc.constant('continue-dialog' as const), by: fc.constant(human) }),
      fc.constant({ type: 'start-turn' as const }),
      fc.record({
        type: fc.constant('finish-generation' as const),
        model: fc.constant(null),
        usage: fc.constant(usage),
        message: fc.option(fc.record({ id: id('m'), text })),
        calls,
        questions: fc.array(askedQuestion, { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('fail-generation' as const),
        code: fc.constant('model_overloaded' as const),
        details: fc.constant({}),
        retryAt: expiresAt,
      }),
      fc.record({ type: fc.constant('ask-question' as const), asked: askedQuestion }),
      fc.record({ type: fc.constant('return-tool' as const), call: id('c'), ok: fc.boolean(), output: fc.constant('x') }),
      fc.record({ type: fc.constant('finish-turn' as const), seen: fc.integer({ min: 0, max: 60 }) }),
      fc.record({ type: fc.constant('fail-turn' as const), code: fc.constant('agent_failed' as const), details: fc.constant({}) }),
      fc.record({ type: fc.constant('stop-turn' as const), text: fc.option(text) }),
    ),
  )
  // Cloned, because generated objects may have no prototype and would differ from what JSON gives.
  .map(([at, rest]) => structuredClone({ at, ...rest }) as DialogCommand)

type Step = { before: DialogState; command: DialogCommand; events: DialogEvent[] | null; after: DialogState }

function play(commands: DialogCommand[]): Step[] {
  let state = initialDialog
  return commands.map((each) => {
    const before = state
    const decision = decide(before, each)
    if ('refused' in decision) return { before, command: each, events: null, after: before }
    state = decision.events.reduce(evolve, before)
    return { before, command: each, events: decision.events, after: state }
  })
}

const histories = fc
  .array(command, { maxLength: 60 })
  .map((rest) => play([{ type: 'open-dialog', at: 0, agent: 'ada', by: human, language: 'en' }, ...rest]))
const check = (holds: (steps: Step[]) => void): void => fc.assert(fc.property(histories, holds), { numRuns: 400 })

test('deciding is total and pure: it never throws, never changes its input, and says the same twice', () => {
  check((steps) => {
    for (const { before, command: each } of steps) {
      const copy = structuredClone(before)
      assert.deepEqual(decide(before, each), decide(before, each))
      assert.deepEqual(before, copy)
    }
  })
})

test('a fold from zero gives the same state as step by step', () => {
  check((steps) => {
    const events = steps.flatMap((step) => step.events ?? [])
    assert.deepEqual(events.reduce(evolve, initialDialog), steps.at(-1)?.after)
    assert.equal(steps.at(-1)?.after.seq, events.length)
  })
})

test('a state survives being written and read as JSON', () => {
  check((steps) => {
    for (const { after } of steps.slice(-1)) assert.deepEqual(JSON.parse(JSON.stringify(after)), after)
  })
})

test('a question is closed at most once, and only when it was open', () => {
  check((steps) => {
    const open = new Set<string>()
    for (const event of steps.flatMap((step) => step.events ?? [])) {
      if (event.type === 'question.asked') open.add(event.data.question)
      else if (event.type.startsWith('question.') && 'question' in event.data) assert.ok(open.delete(event.data.question))
    }
  })
})

test('only questions a person can answer are asked', () => {
  check((steps) => {
    for (const event of steps.flatMap((step) => step.events ?? []))
      if (event.type === 'question.asked') assert.equal(faultOf(event.data.ask), null)
  })
})

test('turns are numbered upwards, start once and end once', () => {
  check((steps) => {
    let running: number | null = null
    let last = 0
    for (const event of steps.flatMap((step) => step.events ?? [])) {
      if (event.type === 'turn.started') {
        assert.equal(running, null)
        assert.equal(event.data.turn, last + 1)
        running = last = event.data.turn
      } else if (event.type === 'turn.finished' || event.type === 'turn.failed') {
        assert.equal(event.data.turn, running)
        running = null
      } else if (event.type === 'turn.stopped') running = null
    }
  })
})

test('whoever has become due is woken by the very unit that made it so', () => {
  check((steps) => {
    for (const { before, events, after } of steps) {
      if (!events || needsTurn(before) || !needsTurn(after)) continue
      // start-turn needs a claim, which is the wake already taken.
      const { wake } = followUps('d', events, after)
      assert.ok(
        wake.some(({ kind, key }) => kind === 'turn' && key === 'd'),
        events.map(({ type }) => type).join(),
      )
    }
  })
})

test('a timer is set for a question that expires and taken back when it is closed', () => {
  check((steps) => {
    const timers = new Set<string>()
    for (const { events, after } of steps) {
      if (!events) continue
      const { wake, cancel } = followUps('d', events, after)
      for (const { kind, key } of cancel) if (kind === 'timer') timers.delete(key)
      for (const { kind, key } of wake) if (kind === 'timer') timers.add(key)
      for (const event of events) if (event.type === 'question.expired') timers.delete(`d/${event.data.question}`)
      for (const open of Object.values(after.questions)) if (open.expiresAt !== null) assert.ok(timers.has(`d/${open.question}`))
    }
  })
})

test('bounds hold whatever happens', () => {
  check((steps) => {
    for (const { after } of steps) {
      assert.ok(after.context.length <= dialogLimits.contextItems)
      assert.ok(after.waitingMessages <= dialogLimits.waitingMessages)
      assert.ok(Object.keys(after.closed).length <= dialogLimits.closedQuestions)
      assert.ok(after.contextChars >= 0)
    }
  })
})
