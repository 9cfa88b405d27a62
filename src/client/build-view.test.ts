import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { failureWords } from '../builds/rules/words/summaries.ts'
import { buildViewOfAll, type BuildView, currentStep, emptyBuild, listDecisions } from './build-view.ts'
import {
  answeredWith,
  completed,
  details,
  ended,
  failedFor,
  goal,
  numbered,
  opening,
  reassured,
  said,
  started,
  status,
  through,
  wholeBuild,
} from './test/build-logs.ts'

const viewAfter = (...events: Parameters<typeof numbered>[0][number][]): BuildView => buildViewOfAll(emptyBuild, numbered(events))
const states = ({ steps }: BuildView): string => steps.map(({ state }) => state.charAt(0)).join('')

test('nothing has happened: seven steps wait', () => {
  assert.equal(states(emptyBuild), 'wwwwwww')
  assert.equal(emptyBuild.status, 'starting')
  assert.equal(currentStep(emptyBuild), null)
})

test('a whole build: steps, lines in order, result', () => {
  const view = buildViewOfAll(emptyBuild, wholeBuild)
  assert.equal(states(view), 'ddddddd')
  assert.equal(view.status, 'complete')
  assert.equal(view.isOver, true)
  assert.equal(view.output, '# Reading list\n\n- One book each week')
  assert.equal(view.prompt, 'Build me a reading-list agent')
  assert.deepEqual(
    view.lines.map(({ kind }) => kind),
    ['request', 'message', 'question', 'answer', 'question', 'answer', 'reassurance', 'message'],
  )
  assert.equal(view.seq, wholeBuild.at(-1)?.seq)
})

test('one step is under way; those before it are done', () => {
  const view = viewAfter(...opening('x'), ...through('build_record', 'research'))
  assert.equal(states(view), 'ddawwww')
  assert.deepEqual(currentStep(view), { id: 'research', index: 3, state: 'active', ms: null })
})

test('a step has taken the time of its agent, without the wait for a person, and the answers are decisions', () => {
  const log = numbered([
    ...opening('x'),
    ...through('build_record', 'parse'),
    goal,
    answeredWith('q-goal', { 'q-goal': 'joy' }),
    ...through('parse', 'research'),
  ])
  const asked = log.findIndex(({ type }) => type === 'question.requested')
  // The person takes a day.
  const view = buildViewOfAll(
    emptyBuild,
    log.map((event, index) => (index > asked ? { ...event, at: event.at + 86_400_000 } : event)),
  )
  assert.deepEqual(
    view.steps.map(({ ms }) => ms),
    [1_000, 2_000, null, null, null, null, null],
  )
  assert.deepEqual(listDecisions(view), [{ id: 'q-goal', prompt: 'What is the list for?', text: 'Read for pleasure' }])
  const failed = buildViewOfAll(view, numbered([status('failed'), failedFor('agent stopped')], view.seq, (view.stepAt ?? 0) + 5_000))
  assert.deepEqual([failed.steps[2]?.state, failed.steps[2]?.ms], ['failed', 5_000])
})

test('the latest answer to a question is the decision', () => {
  const answers = ['joy', 'work'].flatMap((answer) => [goal, answeredWith('q-goal', { 'q-goal': answer })])
  assert.deepEqual(
    listDecisions(viewAfter(...opening('x'), ...answers)).map(({ text }) => text),
    ['Get better at work'],
  )
})

test('between two steps the last one reached is the current one', () => {
  const view = viewAfter(...opening('x'), completed('build_record'))
  assert.equal(currentStep(view)?.id, 'build_record')
})

test('a step that begins ends those before it, also where an end was missed', () => {
  assert.equal(states(viewAfter(...opening('x'), started('design'))), 'dddawww')
})

test('an open question waits, and the step under way stays', () => {
  const view = viewAfter(...opening('x'), goal)
  assert.equal(view.status, 'waiting')
  assert.equal(states(view), 'awwwwww')
  assert.equal(view.question?.isSet, false)
  assert.deepEqual(
    view.question?.questions.map(({ id, options }) => [id, options.length]),
    [['q-goal', 2]],
  )
})

test('a message does not close a question', () => {
  assert.equal(viewAfter(...opening('x'), goal, said('Take your time.')).question?.id, 'q-goal')
})

test('an answer is shown by its label and closes the question', () => {
  const view = viewAfter(...opening('x'), goal, answeredWith('q-goal', { 'q-goal': 'joy' }))
  assert.equal(view.question, null)
  assert.equal(view.status, 'running')
  const last = view.lines.at(-1)
  assert.deepEqual(last?.kind === 'answer' && last.items, [{ id: 'q-goal', prompt: 'What is the list for?', text: 'Read for pleasure' }])
  assert.equal(
    view.lines.some((line) => line.kind === 'question' && line.state === 'answered'),
    true,
  )
})

test('the answers of a set are one line', () => {
  const view = viewAfter(...opening('x'), details, answeredWith('set-1', { 'q-often': 'm', 'q-topic': 'Rivers' }))
  const last = view.lines.at(-1)
  assert.deepEqual(last?.kind === 'answer' && last.items.map(({ text }) => text), ['Monthly', 'Rivers'])
})

test('an answer to another question than the open one changes nothing', () => {
  const before = viewAfter(...opening('x'), goal)
  const after = viewAfter(...opening('x'), goal, answeredWith('q-other', { 'q-other': 'a' }))
  assert.deepEqual({ ...after, seq: 0 }, { ...before, seq: 0 })
})

test('without the person’s own events the next step closes the question', () => {
  const view = viewAfter(...opening('x'), goal, completed('build_record'))
  assert.equal(view.question, null)
  assert.equal(
    view.lines.some((line) => line.kind === 'question' && line.state === 'passed'),
    true,
  )
})

test('a failure keeps what was reached and marks where it ended', () => {
  const view = viewAfter(...opening('x'), ...through('build_record', 'parse'), said('Sorry.'), status('failed'), failedFor('took too long'))
  assert.equal(states(view), 'dfwwwww')
  assert.deepEqual(view.failure, { cause: 'slow', reason: 'took too long' })
  assert.equal(view.status, 'failed')
})

test('an agent’s own reason is kept as it is', () => {
  assert.deepEqual(viewAfter(...opening('x'), status('failed'), failedFor('The shop is closed.')).failure, {
    cause: 'own',
    reason: 'The shop is closed.',
  })
  assert.equal(viewAfter(...opening('x'), status('failed'), failedFor()).failure?.cause, 'other')
  assert.equal(viewAfter(...opening('x'), status('failed'), failedFor('constructor')).failure?.cause, 'own')
})

test('every reason the server gives by itself has words of its own', () => {
  const codes = [
    'build_rules_broken',
    'command_failed',
    'command_timeout',
    'command_flooded',
    'agent_not_found',
    'budget_spent',
    'internal',
    'cancelled',
  ] as const
  const causes = codes.map((code) => viewAfter(...opening('x'), failedFor(failureWords(code, 'en').reason)).failure?.cause)
  assert.deepEqual(causes, ['rules', 'stopped', 'slow', 'flooded', 'absent', 'budget', 'other', 'cancelled'])
})

test('a build that was called off is no failure', () => {
  const stopping = viewAfter(...opening('x'), goal, { type: 'build.cancelled', payload: {} })
  assert.equal(stopping.isStopping, true)
  const view = viewAfter(...opening('x'), goal, { type: 'build.cancelled', payload: {} }, status('failed'), failedFor('cancelled'))
  assert.equal(view.status, 'cancelled')
  assert.equal(view.isStopping, false)
  assert.equal(view.question, null)
})

test('a type this page does not know only moves the number on', () => {
  const [first, ...more] = numbered([...opening('x'), ended])
  assert.ok(first)
  const strange = { seq: 100, at: 1, type: 'later.invented', payload: {} } as never
  const view = buildViewOfAll(emptyBuild, [first, ...more, strange])
  assert.equal(view.seq, 100)
  assert.equal(view.status, 'complete')
})

test('a reassurance is a line of its own kind', () => {
  assert.equal(viewAfter(...opening('x'), reassured('Still here.')).lines.at(-1)?.kind, 'reassurance')
})

test('any cut, repeat or replay of one log gives the same view', () => {
  const whole = buildViewOfAll(emptyBuild, wholeBuild)
  const cut = fc.tuple(fc.nat(wholeBuild.length), fc.nat(wholeBuild.length))
  fc.assert(
    fc.property(fc.array(cut, { maxLength: 8 }), (cuts) => {
      // Each piece begins at or before what is known already, as after a reconnect; the last one reaches the end.
      let view = emptyBuild
      let knownSeq = 0
      for (const [from, to] of [...cuts, [0, wholeBuild.length] as const]) {
        const start = Math.min(from, knownSeq)
        const end = Math.max(start, to)
        view = buildViewOfAll(view, wholeBuild.slice(start, end))
        knownSeq = Math.max(knownSeq, end)
      }
      assert.deepEqual(view, whole)
    }),
  )
})

test('folding never changes a view that was given out', () => {
  const texts: string[] = []
  const views: BuildView[] = []
  wholeBuild.reduce((view, event) => {
    const next = buildViewOfAll(view, [event])
    views.push(next)
    texts.push(JSON.stringify(next))
    return next
  }, emptyBuild)
  assert.deepEqual(
    views.map((view) => JSON.stringify(view)),
    texts,
  )
})
