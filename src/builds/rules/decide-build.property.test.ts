import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type StoredBuildEvent, publicEvents } from './build-events.ts'
import { type BuildState, initialBuild, needsTurn, silenceDueAt } from './build-state.ts'
import { checkBuildLog } from './check-log.ts'
import { type BuildCommand, decideBuild } from './decide-build.ts'
import { evolveBuild } from './evolve-build.ts'
import { readBuildEvent } from './read-build-event.ts'
import { stepIds, stepOf } from './steps.ts'
import { building } from './test/agent-script.ts'
import { type Happened, mayFollow } from './test/plain-checker.ts'

const source = 'agent'
const id = fc.constantFrom('q1', 'q2', 'q3', 'q4')
const label = fc.constantFrom('Yes', 'No', 'q1', 'o2')
const options = fc.array(fc.record({ id: fc.constantFrom('o1', 'o2', 'o3', 'a b'), label }), { maxLength: 3 })
const input = fc.constantFrom('single_choice', 'text', 'date')
const anyQuestion = fc.record({ question_id: id, prompt: fc.constantFrom('Which one?', ' '), input, options })
const goodOptions = [
  { id: 'o1', label: 'Yes' },
  { id: 'o2', label: 'No' },
]
const goodSet = fc.uniqueArray(id, { minLength: 2, maxLength: 3 }).map((ids) =>
  ids.map((each, index) => ({
    question_id: each,
    prompt: 'Which?',
    ...(index === 0 ? { input: 'single_choice', options: goodOptions } : { input: 'text' }),
  })),
)
const mostly = <T>(good: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: odd })

/** Events as agents send them: mostly well formed, now and then not. */
const wire: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .record({ status: fc.constantFrom('running', 'complete', 'failed', 'odd') })
    .map((p) => ({ type: 'status.changed', payload: { ...p, source } })),
  fc.constantFrom('All good.', 'Here you go.', '').map((text) => ({ type: 'assistant.message.created', payload: { text, source } })),
  fc.tuple(fc.constantFrom(...stepIds), mostly(fc.constant(0), fc.constant(1))).map(([step, off]) => {
    const { title, description, index, total } = stepOf(step, 'en')
    return { type: 'progress.step.started', payload: { step_id: step, title, description, index: index + off, total, source } }
  }),
  fc.constantFrom(...stepIds, 'deploy').map((step) => ({ type: 'progress.step.completed', payload: { step_id: step, source } })),
  mostly<unknown>(
    id.map((question_id) => ({ question_id, prompt: 'Which?', input: 'single_choice', required: true, options: goodOptions })),
    fc.tuple(anyQuestion, fc.boolean()).map(([one, required]) => ({ ...one, required })),
  ).map((payload) => ({ type: 'question.requested', payload: { ...(payload as object), source } })),
  fc.tuple(id, mostly<unknown>(goodSet, fc.array(anyQuestion, { maxLength: 3 }))).map(([set, questions]) => ({
    type: 'questions.requested',
    payload: { question_set_id: `s-${set}`, prompt: 'Some details', required_all: true, questions, source },
  })),
  fc.constantFrom('session.completed', 'session.failed', 'phase.changed').map((type) => ({ type, payload: { source } })),
  fc.constantFrom(null, 7, [], { type: 'session.completed' }, { type: 'session.completed', payload: { source: 'backend' } }),
)

const given = fc.dictionary(id, fc.constantFrom('o1', 'yes', 'Mira', ' '), { maxKeys: 3 })
/** Valid next steps are tried more often than chance would, so that whole builds happen. */
const nudge = fc.constantFrom('next', 'next', 'next', 'any')
/** Chance alone would seldom try to end just before it may. */
const tooEarly = fc
  .constantFrom('complete', 'failed')
  .map((status): Happened => ({ wire: { type: 'status.changed', payload: { status, source } } }))
const happened: fc.Arbitrary<Happened | 'next'> = fc
  .tuple(
    nudge,
    fc.oneof(
      { weight: 5, arbitrary: wire.map((each): Happened => ({ wire: each })) },
      { weight: 1, arbitrary: given.map(asAnswers) },
      { weight: 2, arbitrary: tooEarly },
    ),
  )
  .map(([how, one]) => (how === 'next' ? 'next' : one))

function asAnswers(answers: Record<string, string>): Happened {
  return { answers: { ...answers }, as: Object.keys(answers).length === 1 ? 'one' : 'set' }
}

/** The step or end that is due; what a sensible agent (or person) would do. */
function dueNext({ progress }: BuildState): Happened {
  const of = (type: string, payload: object): Happened => ({ wire: { type, payload: { ...payload, source } } })
  if (progress.status === 'none') return of('status.changed', { status: 'running' })
  if (progress.question?.kind === 'one') return asAnswers({ [progress.question.ask.question_id]: 'o1' })
  if (progress.question) {
    const { questions } = progress.question.ask
    return { answers: Object.fromEntries(questions.map((one) => [one.question_id, one.options?.[0]?.id ?? 'Mira'])), as: 'set' }
  }
  if (progress.open) return of('progress.step.completed', { step_id: progress.open })
  const next = stepIds[progress.done.length]
  if (next && progress.status === 'running') {
    const { title, description, index, total } = stepOf(next, 'en')
    return of('progress.step.started', { step_id: next, title, description, index, total })
  }
  if (!progress.isSummarised) return of('assistant.message.created', { text: 'All good.' })
  if (progress.status === 'running') return of('status.changed', { status: 'complete' })
  return of(progress.status === 'complete' ? 'session.completed' : 'session.failed', {})
}

test('the decider and an independent reading of the protocol agree on every event', (t) => {
  let [taken, dropped, ended] = [0, 0, 0]
  fc.assert(
    fc.property(fc.array(happened, { maxLength: 60, size: 'max' }), (list) => {
      const story = building()
      const history: Happened[] = []
      for (const each of list) {
        const one = each === 'next' ? dueNext(story.state) : each
        const expected = mayFollow(history, one)
        const before = story.public().length
        if ('answers' in one) {
          const [first = '', answer = ''] = Object.entries(one.answers)[0] ?? []
          if (one.as === 'one') story.does({ type: 'answer-one', question: first, answer, by: 'owner' })
          else story.does({ type: 'answer-set', answers: one.answers, by: 'owner' })
        } else story.does({ type: 'take-items', turn: 1, items: [readBuildEvent(one.wire)] })
        const isEnded = story.types().includes('build.failed')
        // A message is taken, even where its words wait or are held back.
        const isHeld = story.types().includes('build.words.guarded')
        const isTaken = 'answers' in one ? story.types().includes('build.answered') : !isEnded && (isHeld || story.public().length > before)
        assert.equal(isTaken, expected, `${JSON.stringify(one)} after ${JSON.stringify(history)}`)
        if (isTaken) history.push(one)
        if (isTaken) taken += 1
        else dropped += 1
        if (isEnded) break
      }
      if (story.state.progress.isOver) ended += 1
    }),
    { numRuns: 600 },
  )
  t.diagnostic(`${taken} taken, ${dropped} dropped, ${ended} builds came to their end`)
  assert.ok(taken > 1_000 && dropped > 1_000 && ended > 10, 'the comparison saw something')
})

const sameQuestion = {
  type: 'question.requested',
  payload: { question_id: 'q-same', prompt: 'Which?', input: 'single_choice', required: true, options: goodOptions, source },
}

type Make = (state: BuildState, at: number) => BuildCommand
type Drawn = { weight: number; arbitrary: fc.Arbitrary<Make> }
const always = (weight: number, make: Make): Drawn => ({ weight, arbitrary: fc.constant(make) })

/** Every command there is: a new one without an entry does not compile. Those that end a round are drawn seldom. */
const commands = {
  'open-build': always(1, (_, at) => ({
    type: 'open-build',
    build: 'b',
    session: 's',
    prompt: 'Another',
    agent: 'ada',
    locale: 'en',
    by: 'owner',
    at,
  })),
  instruct: always(1, (_, at) => ({ type: 'instruct', text: 'In blue', by: 'owner', at })),
  'answer-one': {
    weight: 1,
    arbitrary: id.map((question): Make => (_, at) => ({ type: 'answer-one', question, answer: 'o1', by: 'o', at })),
  },
  'answer-set': {
    weight: 1,
    arbitrary: given.map((answers): Make => (_, at) => ({ type: 'answer-set', answers, by: 'o', at })),
  },
  'cancel-build': always(0.2, (_, at) => ({ type: 'cancel-build', by: 'owner', at })),
  'retry-build': always(0.5, (_, at) => ({ type: 'retry-build', by: 'owner', at })),
  reassure: always(2, (_, at) => ({ type: 'reassure', at })),
  'start-turn': always(2, (_, at) => ({ type: 'start-turn', at })),
  'cut-turn': always(1, (_, at) => ({ type: 'cut-turn', at })),
  'take-items': {
    weight: 4,
    arbitrary: wire.map(
      (each): Make =>
        (state, at) =>
          follow(state, at, { wire: each }),
    ),
  },
  'give-hint': always(1, ({ turns }, at) => ({ type: 'give-hint', turn: turns, at })),
  'tell-additions': always(1, ({ turns }, at) => ({ type: 'tell-additions', turn: turns, at })),
  'end-turn': always(1, ({ turns }, at) => ({ type: 'end-turn', turn: turns, at })),
  'fail-turn': always(0.2, (_, at) => ({ type: 'fail-turn', code: 'command_failed', details: { status: '9', why: 'killed' }, at })),
} satisfies Record<BuildCommand['type'], Drawn>

const command: fc.Arbitrary<Make> = fc.oneof(
  ...[
    always(8, (state, at) => follow(state, at, dueNext(state))),
    // Asked in one round and again in the next, so that answers are recalled.
    always(2, (state, at) => follow(state, at, { wire: sameQuestion })),
    ...Object.values(commands),
  ].map(({ weight, arbitrary }) => ({ weight: weight * 10, arbitrary })),
)
const last: fc.Arbitrary<Make> = fc.constantFrom(
  (_: BuildState, at: number): BuildCommand => ({ type: 'cancel-build', by: 'owner', at }),
  (_: BuildState, at: number): BuildCommand => ({ type: 'fail-turn', code: 'command_failed', details: { status: '9', why: 'killed' }, at }),
)

function follow(state: BuildState, at: number, one: Happened): BuildCommand {
  if ('wire' in one) return { type: 'take-items', turn: state.turns, items: [readBuildEvent(one.wire)], at }
  const [question = '', answer = ''] = Object.entries(one.answers)[0] ?? []
  return one.as === 'one'
    ? { type: 'answer-one', question, answer, by: 'o', at }
    : { type: 'answer-set', answers: one.answers, by: 'o', at }
}

type Played = { log: StoredBuildEvent[]; state: BuildState }
const round = fc.tuple(fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), command), { maxLength: 60, size: 'max' }), last)
/** One to three rounds: each that does not complete the build is retried. */
const histories = fc.array(round, { minLength: 1, maxLength: 3, size: 'max' }).map((rounds): Played => {
  let at = 0
  let state = initialBuild
  const log: StoredBuildEvent[] = []
  const does = (next: BuildCommand): void => {
    const copy = structuredClone(state)
    const decision = decideBuild(state, next)
    assert.deepEqual(decideBuild(state, next), decision)
    assert.deepEqual(state, copy)
    const events = 'events' in decision ? decision.events : []
    log.push(...events)
    state = events.reduce(evolveBuild, state)
    assert.deepEqual(JSON.parse(JSON.stringify(state)), state, 'a state survives being written and read')
  }
  does({ type: 'open-build', build: 'b', session: 's', prompt: 'A list', agent: 'ada', locale: 'zh', by: 'owner', at })
  for (const [index, [list, end]] of rounds.entries()) {
    if (index > 0) does({ type: 'retry-build', by: 'owner', at })
    for (const [ms, make] of list) does(make(state, (at += ms)))
    does(end(state, at))
  }
  return { log, state }
})

const numbered = (log: StoredBuildEvent[]): (StoredBuildEvent & { seq: number })[] =>
  log.map((event, index) => ({ ...event, seq: index + 1 }))

test('whatever happens, the public log is a valid one in which each round has ended once', () => {
  let [retried, recalled] = [0, 0]
  fc.assert(
    fc.property(histories, ({ log, state }) => {
      assert.ok(state.progress.isOver)
      // Invalid output was dropped; accepted output keeps every rule.
      const taken = numbered(log).filter(({ type }) => type !== 'build.faulted')
      const errors = checkBuildLog(taken.map((event) => JSON.stringify(event))).filter(
        ({ severity, words }) => severity === 'error' && !words.includes('without a reassurance'),
      )
      assert.deepEqual(errors, [])
      const wires = publicEvents(numbered(log))
      assert.equal(wires[0]?.type, 'session.started')
      const isEnd = ({ type }: { type: string }): boolean => type === 'session.completed' || type === 'session.failed'
      const starts = wires.filter(({ type }) => type === 'session.started')
      assert.equal(wires.filter(isEnd).length, starts.length)
      assert.match(wires.at(-1)?.type ?? '', /^session\.(?:completed|failed)$/)
      for (const [index, start] of starts.entries()) {
        if (start.type !== 'session.started') continue
        assert.deepEqual([start.payload.build_id, start.payload.session_id, start.payload.round ?? 1], ['b', 's', index + 1])
        // A round follows directly on the end of the one before.
        if (index > 0) assert.match(wires[wires.indexOf(start) - 1]?.type ?? '', /^session\.(?:completed|failed)$/)
      }
      retried += starts.length - 1
      recalled += log.filter(({ type }) => type === 'build.recalled').length
    }),
    { numRuns: 400 },
  )
  assert.ok(retried > 50 && recalled > 10, `${retried} rounds more, ${recalled} answers recalled`)
})

test('the independent reading finds nothing wrong with a log the decider made', () => {
  fc.assert(
    fc.property(histories, ({ log }) => {
      let history: Happened[] = []
      for (const { type, data } of log) {
        if (type === 'session.started') {
          history = []
          continue
        }
        if (type.startsWith('build.') && type !== 'build.answered') continue
        const one: Happened = type === 'build.answered' ? { answers: data.answers, as: data.kind } : { wire: { type, payload: data } }
        assert.ok(mayFollow(history, one), JSON.stringify(one))
        history.push(one)
      }
    }),
    { numRuns: 200 },
  )
})

test('a person is reassured once in a silence, and never too early', () => {
  let calmed = 0
  fc.assert(
    fc.property(histories, ({ log }) => {
      let changedAt = 0
      let isCalmed = false
      let beforeRunning = 0
      for (const event of log) {
        const isVisible = !event.type.startsWith('build.') || ['build.opened', 'build.answered'].includes(event.type)
        if (event.type === 'status.changed' && event.data.status === 'running') {
          // Said for the agent together with a reassurance, it is no news.
          beforeRunning = changedAt
        }
        if (event.type === 'assistant.message.created' && event.data.kind === 'reassurance') {
          const since = changedAt === event.at ? beforeRunning : changedAt
          assert.ok(event.at - since > 45_000 && !isCalmed)
          isCalmed = true
          calmed += 1
        } else if (isVisible) {
          changedAt = event.at
          isCalmed = false
        }
      }
    }),
    { numRuns: 300 },
  )
  assert.ok(calmed > 10, 'there were silences')
})

test('what is due is known: a turn, or a silence to wait out, or a person', () => {
  fc.assert(
    fc.property(histories, ({ log }) => {
      let state = initialBuild
      for (const event of log) {
        state = evolveBuild(state, event)
        if (state.progress.isOver) assert.ok(!needsTurn(state) && silenceDueAt(state) === null)
        if (state.progress.question) assert.equal(silenceDueAt(state), null)
      }
    }),
    { numRuns: 100 },
  )
})
