import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent, Participant } from './dialog-events.ts'
import { evolveDialog } from './evolve-dialog.ts'
import { askHuman, findQuestionFault, type Question, type QuestionItem } from './question.ts'
import { followUps } from './follow-ups.ts'
import { dialogLimits, type DialogState, initialDialog, isSpokenTo, needsTurn } from './dialog-state.ts'

const human: Participant = { kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }
const agentItself: Participant = { kind: 'agent', name: 'ada' }
const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('hi', ' ', '😀', '\ud800', 'x'.repeat(200)))
const id = (prefix: string): fc.Arbitrary<string> => fc.integer({ min: 1, max: 4 }).map((number) => `${prefix}${number}`)
const options = fc.array(fc.record({ value: id('v'), label: text }), { maxLength: 3 })
const bound = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined })
const day = fc.option(fc.constantFrom('2026-01-01', '2026-12-31', 'soon'), { nil: undefined })
const kinds: { [Kind in QuestionItem['kind']]: Record<string, fc.Arbitrary<unknown>> } = {
  text: {},
  choice: { options },
  choices: { options, min: bound, max: bound },
  number: { min: bound, max: bound, integer: fc.boolean() },
  date: { min: day, max: day },
}
const item = fc.oneof(
  ...Object.entries(kinds).map(([kind, more]) => fc.record({ id: id('i'), text, kind: fc.constant(kind), ...more })),
) as fc.Arbitrary<QuestionItem>
const question: fc.Arbitrary<Question> = fc.record({ text, items: fc.array(item, { maxLength: 3 }) })
const answers = fc.dictionary(id('i'), fc.oneof(id('v'), text, fc.constantFrom('1', '-2.5', '2026-01-01', '["v1"]')))
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

const hold = fc.record({ by: fc.constant('owner'), dialog: fc.option(id('d')) })
const by = fc.constant(human)
const anyPerson = fc.constantFrom<Participant>(human, { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' })
const seen = fc.integer({ min: 0, max: 60 })
const mode = fc.constantFrom('back' as const, 'session' as const, 'fresh' as const, 'reasoning' as const)

/** Every command there is: a new one without a generator does not compile. */
const fields: { [Type in DialogCommand['type']]: Record<string, fc.Arbitrary<unknown>> } = {
  'open-dialog': { agent: fc.constant('ada'), by, language: fc.constantFrom('en', 'zh') },
  'branch-dialog': {
    from: id('d'),
    message: id('m'),
    messages: fc.array(fc.record({ message: id('m'), by: fc.constantFrom(human, agentItself), text, at: fc.nat(9) }), { maxLength: 3 }),
    floor: fc.constantFrom('owner', 'guest'),
    writers: fc.constant([]),
    by,
  },
  say: { message: id('m'), text, by, via: fc.constantFrom('web', 'build') },
  'tap-control': { message: id('m'), of: id('m'), value: text, text, isReusable: fc.boolean(), by, via: fc.constant('web') },
  'title-dialog': { title: text, by: fc.constantFrom('human', 'agent') },
  'pin-dialog': { isPinned: fc.boolean(), by },
  'archive-dialog': { isArchived: fc.boolean(), by },
  'choose-model': { model: fc.constantFrom('large', null), by },
  'note-taskdoc': { section: fc.constantFrom('goals', 'notes/colours'), by },
  'change-pushes': { change: fc.constantFrom('on', 'off', 'refill'), by, continues: fc.boolean() },
  'answer-question': { question: id('q'), answers, by: anyPerson, undoMs: fc.constantFrom(0, 6_000) },
  'withdraw-answer': { question: id('q'), by: anyPerson },
  'take-answer': { question: id('q') },
  'decline-question': { question: id('q'), by },
  'end-grant': { grant: id('g'), by, via: fc.constant('web'), why: fc.constant('revoked') },
  'withdraw-approvals': { by },
  'settle-approval': { question: id('q') },
  'start-tool': { call: id('c') },
  'refuse-answer': { question: id('q'), by, via: fc.constantFrom('web', 'telegram') },
  'cancel-question': { question: id('q'), by },
  'expire-question': { question: id('q') },
  'request-stop': { by },
  'latch-dialog': { by },
  'continue-dialog': { by },
  'lift-stop': { by },
  'declare-dead': { by },
  'settle-failure': { why: fc.constantFrom('given-up', 'final', 'timeout') },
  'notice-budget': { key: id('k'), limit: fc.nat(9), percent: fc.constantFrom(80, 95) },
  'read-taskdoc': { role: fc.constantFrom('operator', 'guest'), change: id('h') },
  'retire-dialog': { file: id('f'), root: id('d'), events: fc.nat(30) },
  'delete-dialog': { root: id('d'), events: fc.nat(30), files: fc.constant([]), by, via: fc.constantFrom('web', 'cli') },
  'trust-dialog': { by, via: fc.constantFrom('web', 'telegram'), upTo: fc.nat(30) },
  'make-tellask': {
    tellask: id('t'),
    call: id('c'),
    mode,
    to: id('d'),
    agent: fc.constant('bob'),
    session: fc.constant(null),
    content: text,
  },
  'receive-tellask': {
    tellask: id('t'),
    mode,
    from: id('d'),
    by: fc.constant('bob'),
    session: fc.constant(null),
    content: text,
    about: fc.constant(null),
  },
  'give-reply': { tellask: id('t'), text },
  'receive-reply': { tellask: id('t'), outcome: fc.constantFrom('replied', 'dead', 'failed'), text },
  'register-session': { agent: fc.constant('bob'), session: fc.constant('s'), dialog: id('d') },
  'drop-session': { agent: fc.constant('bob'), session: fc.constant('s') },
  'clear-mind': { why: fc.constantFrom('asked', 'forced'), prompt: text },
  'add-prompt': { why: fc.constantFrom('diligence', 'health', 'reply'), text },
  'request-course': { by },
  'start-course': {
    why: fc.constantFrom('first', 'forced', 'upgrade'),
    snapshot: fc.constant({ memories: null, taskdoc: null, reminders: [] }),
    offset: fc.constant(60),
  },
  'start-epoch': {
    epoch: fc.record({
      why: fc.constantFrom('course', 'team'),
      system: text,
      tools: fc.constant([]),
      team: fc.constant([]),
      maker: fc.constant('m'),
      resultChars: fc.constant(8_000),
      offset: fc.constant(60),
    }),
  },
  'compact-prompt': { cut: fc.record({ keepOutputs: fc.constant(1), longestChars: fc.constant(1), most: fc.nat(3) }) },
  'note-prompt': { notes: fc.constant([{ kind: 'reply-nudge', handle: 'r1' }]) },
  'tell-prompt': { told: fc.record({ block: fc.constantFrom('plugin', 'diligence'), name: fc.constant(null), text }) },
  'start-generation': {},
  'add-reminder': { reminder: id('r'), text, position: fc.integer({ min: -1, max: 3 }) },
  'update-reminder': { number: fc.integer({ min: 0, max: 3 }), text },
  'delete-reminder': { number: fc.integer({ min: 0, max: 3 }) },
  'start-turn': { alone: fc.option(hold, { nil: undefined }) },
  'hold-dialog': { hold },
  'finish-generation': {
    model: fc.constant(null),
    usage: fc.constant(usage),
    message: fc.option(fc.record({ id: id('m'), text })),
    calls,
    questions: fc.array(askedQuestion, { maxLength: 2 }),
  },
  'fail-generation': { code: fc.constant('model_overloaded'), details: fc.constant({}), retryAt: expiresAt },
  'ask-question': { asked: askedQuestion },
  'return-tool': { call: id('c'), ok: fc.boolean(), output: fc.constant('x') },
  'finish-turn': { seen },
  'cut-turn': { why: fc.constantFrom('crash', 'shutdown', 'death'), spent: fc.constant({ tokens: 5, money: 0 }) },
  'fail-turn': { code: fc.constant('agent_failed'), details: fc.constant({}), seen: fc.option(seen, { nil: undefined }) },
  'stop-turn': {
    text: fc.option(text),
    seen: fc.option(seen, { nil: undefined }),
    held: fc.option(hold, { nil: undefined }),
    unstarted: fc.array(id('c'), { maxLength: 2 }),
  },
}

/** Side dialogs die for good, so a death is drawn seldom: most histories would be over at once. */
const rare = 30

const command: fc.Arbitrary<DialogCommand> = fc
  .tuple(
    fc.integer({ min: 0, max: 1e6 }),
    fc.oneof(
      ...Object.entries(fields).map(([type, data]) => ({
        weight: type === 'declare-dead' ? 1 : rare,
        arbitrary: fc.record({ type: fc.constant(type), ...data }),
      })),
    ),
  )
  // Through JSON, because generated objects may have no prototype and would differ from what a store gives.
  .map(([at, rest]) => JSON.parse(JSON.stringify({ at, ...rest })) as DialogCommand)

type Step = { before: DialogState; command: DialogCommand; events: DialogEvent[] | null; after: DialogState }

function play(commands: DialogCommand[]): Step[] {
  let state = initialDialog
  return commands.map((each) => {
    const before = state
    const decision = decideDialog(before, each)
    if ('refused' in decision) return { before, command: each, events: null, after: before }
    state = decision.events.reduce(evolveDialog, before)
    return { before, command: each, events: decision.events, after: state }
  })
}

const origin = { root: 'r', parent: 'p', mode: 'session' as const, session: null, depth: 1 }
const histories = fc
  .tuple(fc.array(command, { maxLength: 60 }), fc.boolean())
  .map(([rest, isSide]) =>
    play([{ type: 'open-dialog', at: 0, agent: 'ada', by: human, language: 'en', ...(isSide ? { origin } : {}) }, ...rest]),
  )

/** Random answers seldom fit a question: here two can be answered, and each answer withdrawn or taken. */
const fitting = fc
  .record({ at: fc.nat(1e6), question: fc.constantFrom('fit1', 'fit2'), by: anyPerson, undoMs: fc.constantFrom(0, 6_000) })
  .chain(({ at, question: asked, by: person, undoMs }) =>
    fc.constantFrom<DialogCommand>(
      { type: 'answer-question', at, question: asked, answers: { size: 'large' }, by: person, undoMs },
      { type: 'withdraw-answer', at, question: asked, by: person },
      { type: 'take-answer', at, question: asked },
    ),
  )
const fits = (name: string, expires: number | null): DialogCommand => ({
  type: 'ask-question',
  at: 0,
  asked: { question: name, call: null, ask: { text: 'Size?', items: [{ id: 'size', text: '', kind: 'text' }] }, expiresAt: expires },
})
const answeredHistories = fc
  .array(fc.oneof(command, fitting), { maxLength: 40 })
  .map((rest) =>
    play([{ type: 'open-dialog', at: 0, agent: 'ada', by: human, language: 'en' }, fits('fit1', null), fits('fit2', 9), ...rest]),
  )

const check = (holds: (steps: Step[]) => void): void => {
  fc.assert(fc.property(histories, holds), { numRuns: 400 })
  fc.assert(fc.property(answeredHistories, holds), { numRuns: 100 })
}

test('deciding is total and pure: it never throws, never changes its input, and says the same twice', () => {
  check((steps) => {
    for (const { before, command: each } of steps) {
      const copy = structuredClone(before)
      assert.deepEqual(decideDialog(before, each), decideDialog(before, each))
      assert.deepEqual(before, copy)
    }
  })
})

test('a fold from zero gives the same state as step by step', () => {
  check((steps) => {
    const events = steps.flatMap((step) => step.events ?? [])
    assert.deepEqual(events.reduce(evolveDialog, initialDialog), steps.at(-1)?.after)
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
      if (event.type === 'question.asked' || event.type === 'answer.withdrawn') open.add(event.data.question)
      else if (event.type.startsWith('question.') && 'question' in event.data) assert.ok(open.delete(event.data.question))
    }
  })
})

test('only questions a person can answer are asked', () => {
  check((steps) => {
    for (const event of steps.flatMap((step) => step.events ?? []))
      if (event.type === 'question.asked') assert.equal(findQuestionFault(event.data.ask), null)
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
      } else if (event.type === 'turn.stopped' || event.type === 'dialog.died') running = null
    }
  })
})

test('a dialog that becomes due is woken by the unit that made it due', () => {
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
      for (const event of events)
        if (event.type === 'question.expired' || event.type === 'answer.taken') timers.delete(`d/${event.data.question}`)
      for (const { asked } of Object.values(after.undoable)) assert.ok(timers.has(`d/${asked.question}`))
      for (const open of Object.values(after.questions)) if (open.expiresAt !== null) assert.ok(timers.has(`d/${open.question}`))
    }
  })
})

test('an answer that can be withdrawn wakes no agent, and withdrawing it restores the question', () => {
  let count = 0
  const holds = (steps: Step[]): void => {
    for (const { before, command: each, events, after } of steps) {
      if (each.type !== 'answer-question' || !events || !after.undoable[each.question]) continue
      count += 1
      assert.equal(needsTurn(after), needsTurn(before))
      assert.ok(!after.context.some((one) => one.kind === 'question' && one.question === each.question && one.outcome))
      assert.deepEqual(after.prompt, before.prompt)
      const undone = decideDialog(after, { type: 'withdraw-answer', at: each.at, question: each.question, by: each.by })
      assert.ok('events' in undone)
      const { questions, undoable } = undone.events.reduce(evolveDialog, after)
      assert.deepEqual({ questions, undoable }, { questions: before.questions, undoable: before.undoable })
    }
  }
  fc.assert(fc.property(answeredHistories, holds), { numRuns: 200 })
  assert.ok(count > 10, `only ${count} answers`)
})

test('an answer that is taken has the effect of one that could not be withdrawn', () => {
  const holds = (steps: Step[]): void => {
    for (const { before, command: each, events, after } of steps) {
      if (each.type !== 'answer-question' || !events || !after.undoable[each.question]) continue
      const taken = evolveDialog(after, { type: 'answer.taken', at: each.at, data: { question: each.question } })
      const direct = decideDialog(before, { ...each, undoMs: 0 })
      assert.ok('events' in direct)
      const expected = direct.events.reduce(evolveDialog, before)
      // The same but for the number of the event.
      const comparable = (state: DialogState) => [
        state.calls,
        state.closed,
        state.questions,
        state.rest,
        state.floor,
        state.writers,
        state.pushes,
      ]
      assert.deepEqual(comparable(taken), comparable(expected))
      assert.equal(needsTurn(taken), needsTurn(expected))
      const items = ({ context }: DialogState) => context.map((one) => ({ ...one, seq: 0 }))
      assert.deepEqual(items(taken), items(expected))
    }
  }
  fc.assert(fc.property(answeredHistories, holds), { numRuns: 200 })
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

test('a latch changes by Stop, by Continue, by death and by deletion alone, and each sets or lifts it once', () => {
  check((steps) => {
    let isLatched = false
    for (const event of steps.flatMap((step) => step.events ?? [])) {
      if (event.type === 'latch.set' || event.type === 'latch.lifted') {
        assert.equal(isLatched, event.type === 'latch.lifted')
        isLatched = !isLatched
      }
    }
    for (const { before, after, events } of steps)
      if ((before.latch === null) !== (after.latch === null))
        assert.ok(events?.some(({ type }) => ['latch.set', 'latch.lifted', 'dialog.died', 'dialog.deleted'].includes(type)))
  })
})

test('Stop is always taken, and pressed twice at rest it changes nothing', () => {
  check((steps) => {
    for (const { after } of steps) {
      if (after.seq === 0 || after.isDead || after.retired) continue
      const first = decideDialog(after, { type: 'latch-dialog', at: 1, by: human })
      assert.ok('events' in first)
      const latched = first.events.reduce(evolveDialog, after)
      assert.notEqual(latched.latch, null)
      const again = decideDialog(latched, { type: 'latch-dialog', at: 2, by: human })
      assert.deepEqual(again, { events: [] })
    }
  })
})

test('while it is latched only a person who writes after the stop gets a turn, and that one is marked as alone', () => {
  check((steps) => {
    for (const { before, after, events } of steps) {
      if (after.latch !== null && !after.isDead && after.turn === null && !after.stopRequested)
        assert.equal(needsTurn(after), isSpokenTo(after))
      if (before.latch === null || before.stopRequested || !events) continue
      for (const event of events) if (event.type === 'turn.started') assert.ok(event.data.alone)
    }
  })
})

test('what a stop holds back is due when it is lifted', () => {
  check((steps) => {
    for (const { after } of steps) {
      // A turn that claims to have read events that do not exist yet is drawn as well, but says nothing about this.
      if (after.latch === null || after.isDead || after.seenSeq > after.seq) continue
      const lifted = decideDialog(after, { type: 'continue-dialog', at: 1, by: human })
      assert.ok('events' in lifted)
      const then = lifted.events.reduce(evolveDialog, after)
      assert.equal(then.latch, null)
      const owes = after.held !== null || after.rest !== 'ready' || after.inputSeq > after.seenSeq
      if (owes || after.turn !== null) assert.equal(needsTurn(then), true)
      const { wake } = followUps('d', lifted.events, then)
      assert.equal(wake.length, needsTurn(then) ? 1 : 0)
    }
  })
})

test('no end of a turn counts a message as read that came after what its agent was given', () => {
  check((steps) => {
    for (const { before, command: each, after } of steps) {
      if (each.type !== 'fail-turn' && each.type !== 'stop-turn' && each.type !== 'finish-turn') continue
      if (before === after || each.seen === undefined) continue
      const addressed = each.type === 'stop-turn' ? Math.max(each.seen, before.stopSeq) : each.seen
      if (before.spokenSeq > Math.max(addressed, before.seenSeq)) assert.equal(isSpokenTo(after), true)
    }
  })
})

test('held work survives an answer to a person', () => {
  check((steps) => {
    for (const { before, after, events } of steps)
      if (before.held !== null && after.held === null)
        assert.ok(
          events?.some(
            (event) =>
              ['dialog.died', 'dialog.deleted', 'latch.lifted', 'dialog.continued'].includes(event.type) ||
              (event.type === 'turn.started' && !event.data.alone),
          ),
        )
  })
})
