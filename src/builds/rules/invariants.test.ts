import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildEvent } from './build-events.ts'
import { checkBuildLog } from './check-log.ts'
import { type RuleId, ruleIds } from './fault.ts'
import { readTurnMessage } from './header.ts'
import { readBuildEvent } from './read-build-event.ts'
import {
  asks,
  asksSet,
  asksText,
  building,
  complete,
  completedAll,
  ends,
  failed,
  failedAll,
  running,
  say,
  starts,
  steps,
  type Story,
  wholeBuild,
} from './test/agent-script.ts'
import { guardWords } from './words/guard.ts'

/** Each rule by examples: what is taken, and what is dropped because of it. */
type Example = { name: string; run: () => void }

const accepts: Record<RuleId, Example[]> = {
  T1: [],
  T2: [],
  T3: [],
  T4: [],
  T5: [],
  T6: [],
  T7: [],
  T8: [],
  T9: [],
  T10: [],
  T11: [],
  T12: [],
  T13: [],
  T14: [],
}
const rejects: Record<RuleId, Example[]> = structuredClone(accepts)

const taken = (rule: RuleId, name: string, ...events: BuildEvent[]): void => {
  accepts[rule].push({
    name,
    run: () =>
      assert.deepEqual(
        building()
          .sends(...events)
          .faults(),
        [],
      ),
  })
}

/** The last event is the one that breaks the rule. */
const dropped = (rule: RuleId, name: string, ...events: BuildEvent[]): void => {
  rejects[rule].push({
    name,
    run() {
      const before = building().sends(...events.slice(0, -1))
      assert.deepEqual(before.faults(), [])
      const seen = before.public().length
      const after = before.sends(...events.slice(-1))
      assert.deepEqual(after.faults(), [rule])
      assert.equal(after.public().length, seen, 'nothing of it is shown')
    },
  })
}

const readable = (rule: RuleId, name: string, given: unknown): void => {
  accepts[rule].push({ name, run: () => assert.ok('event' in readBuildEvent(given), JSON.stringify(readBuildEvent(given))) })
}

const unreadable = (rule: RuleId, name: string, given: unknown): void => {
  rejects[rule].push({
    name,
    run() {
      const read = readBuildEvent(given)
      assert.ok('fault' in read)
      assert.equal(read.fault.rule, rule)
      assert.match(read.fault.words, /\.$/, 'a sentence the agent can act on')
    },
  })
}

const plays = (kind: typeof accepts, rule: RuleId, name: string, run: () => void): void => void kind[rule].push({ name, run })

const raw = (event: BuildEvent, payload: object): unknown => ({ ...event, payload: { ...event.payload, ...payload } })
const working = [running, starts('build_record')]

taken('T1', 'running comes first', running)
dropped('T1', 'a step before running', starts('build_record'))
dropped('T1', 'running twice', running, running)
dropped('T1', 'session.started from the agent', { type: 'session.started', payload: { build_id: 'b', session_id: 's', source: 'backend' } })
plays(accepts, 'T1', 'the backend speaks first', () => assert.deepEqual(building().public(), ['session.started']))

taken('T2', 'all seven in their order', running, ...steps())
dropped('T2', 'another first step', running, starts('parse'))
dropped('T2', 'one left out', running, ...steps(2), starts('design'))
dropped('T2', 'one started twice', running, ...steps(1), starts('build_record'))
dropped('T2', 'one completed twice', running, ...steps(1), ends('build_record'))

taken('T3', 'completed, then the next', running, starts('build_record'), ends('build_record'), starts('parse'))
dropped('T3', 'two open at once', running, starts('build_record'), starts('parse'))
dropped('T3', 'another one completed than is open', running, starts('build_record'), ends('parse'))
dropped('T3', 'completed before it was started', running, ends('build_record'))

readable('T4', 'its place and the dictionary’s words', starts('parse'))
readable('T4', 'other words are taken, and shown in those of the dictionary', raw(starts('parse'), { title: 'Parsing' }))
plays(accepts, 'T4', 'the page shows the dictionary in the language of the build', () => {
  const odd = readBuildEvent(raw(starts('build_record'), { title: 'Booting', description: 'Boot.' }))
  assert.ok('event' in odd)
  const story = building().sends(running, odd.event)
  const shown = story.log.find((event) => event.type === 'progress.step.started')
  assert.ok(shown?.type === 'progress.step.started' && shown.data.title === 'Starting your build')
  assert.ok(story.types().includes('build.words.guarded'), 'the operator is told')
})
plays(accepts, 'T4', 'a wrong index or total with the right step, corrected and noted', () => {
  const read = readBuildEvent(raw(starts('build_record'), { index: 3, total: 8 }))
  const story = building()
    .sends(running)
    .does({ type: 'take-items', turn: 1, items: [read] })
  const step = story.last.find(({ type }) => type === 'progress.step.started')
  assert.ok(step?.type === 'progress.step.started')
  assert.deepEqual([step.data.index, step.data.total, story.faults()], [1, 7, []])
  assert.ok(story.types().includes('build.words.guarded'), 'the operator is told')
})
unreadable('T4', 'an unknown step', raw(starts('parse'), { step_id: 'deploy' }))
unreadable('T4', 'no title', raw(starts('parse'), { title: undefined }))

taken('T5', 'complete after all seven', running, ...steps(), complete)
taken('T5', 'failed in the middle', ...working, failed)
dropped('T5', 'complete with steps left', running, ...steps(6), complete)
dropped('T5', 'complete with an open step', running, ...steps(6), starts('finalize'), complete)
dropped('T5', 'failed after complete', running, ...steps(), complete, failed)
dropped('T5', 'complete twice', running, ...steps(), complete, complete)

taken('T6', 'complete, then session.completed', ...wholeBuild)
taken('T6', 'failed, then session.failed', running, say('That did not work.'), failed, failedAll)
dropped('T6', 'session.completed after failed', running, say('No.'), failed, completedAll)
dropped('T6', 'session.failed while running', running, say('No.'), failedAll)
dropped('T6', 'a message after the end', ...wholeBuild, say('One more thing.'))
dropped('T6', 'a second end', ...wholeBuild, completedAll)
dropped('T6', 'a step after the last status', running, failed, starts('build_record'))

taken('T7', 'the summary before the status', running, ...steps(), say('Done.'), complete, completedAll)
taken('T7', 'the summary between status and end', running, ...steps(), complete, say('Done.'), completedAll)
dropped('T7', 'no summary', running, ...steps(), complete, completedAll)
dropped(
  'T7',
  'a message from before the last step is none',
  running,
  ...steps(6),
  say('Nearly.'),
  ...steps().slice(12),
  complete,
  completedAll,
)

readable('T8', 'source agent', say('hello'))
readable('T8', 'unknown fields are ignored', raw(say('hello'), { mood: 'good' }))
unreadable('T8', 'another source', raw(say('hello'), { source: 'backend' }))
unreadable('T8', 'no source', { type: 'session.completed', payload: {} })
unreadable('T8', 'phase.changed', { type: 'phase.changed', payload: { phase: 'design', source: 'agent' } })
unreadable('T8', 'an unknown type', { type: 'progress.step.skipped', payload: { source: 'agent' } })
unreadable('T8', 'no payload', { type: 'session.completed' })
unreadable('T8', 'not an object', ['session.completed'])
unreadable('T8', 'a status of its own', raw(running, { status: 'paused' }))
unreadable('T8', 'an output while running', raw(running, { output: 'x' }))

readable('T9', 'a choice of two', asks())
readable('T9', 'a text without options', asksText())
readable('T9', 'a set of two', asksSet())
unreadable('T9', 'one option', raw(asks(), { options: [{ id: 'eu', label: 'Europe' }] }))
unreadable(
  'T9',
  'two options with one id',
  raw(asks(), {
    options: [
      { id: 'eu', label: 'A' },
      { id: 'eu', label: 'B' },
    ],
  }),
)
unreadable('T9', 'a text with options', raw(asks(), { input: 'text' }))
unreadable('T9', 'a set of one', raw(asksSet(), { questions: [{ question_id: 'a', prompt: 'A?', input: 'text' }] }))
unreadable('T9', 'an id that would break the header', raw(asks(), { question_id: 'a,b' }))
unreadable('T9', 'no prompt', raw(asks(), { prompt: ' ' }))
unreadable('T9', 'not required', raw(asks(), { required: false }))
plays(rejects, 'T9', 'an id used before', () => {
  const story = answerOne(building().sends(running, asks())).endsTurn().does({ type: 'start-turn' }).sends(asks())
  assert.deepEqual(story.faults(), ['T9'])
})

taken('T10', 'words are allowed while it waits', ...working, asks(), say('Take your time.'))
taken('T10', 'failing is allowed while it waits', ...working, asks(), failed)
dropped('T10', 'a step while it waits', ...working, asks(), ends('build_record'))
dropped('T10', 'a second question', ...working, asks(), asksText())
dropped('T10', 'a set beside a question', ...working, asks(), asksSet())
dropped('T10', 'complete while it waits', running, ...steps(), asks(), complete)
plays(accepts, 'T10', 'an open step stays open and goes on after the answer', () => {
  const story = answerOne(building().sends(...working, asks()))
    .endsTurn()
    .does({ type: 'start-turn' })
    .sends(ends('build_record'))
  assert.deepEqual(story.faults(), [])
})

function answerOne(story: Story, answer = 'eu'): Story {
  return story.does({ type: 'answer-one', question: 'q-region', answer, by: 'owner' })
}
const asking = (): Story => building().sends(...working, asks())
const askingSet = (): Story => building().sends(...working, asksSet())
const refuses = (name: string, code: string, run: () => Story): void => plays(rejects, 'T11', name, () => assert.equal(run().refused, code))

plays(accepts, 'T11', 'an option by its id', () => assert.equal(answerOne(asking()).refused, null))
plays(accepts, 'T11', 'an option by its label, in any case', () => {
  const [event] = answerOne(asking(), ' europe ').last
  assert.ok(event?.type === 'build.answered' && event.data.answers['q-region'] === 'eu')
})
plays(accepts, 'T11', 'all answers of a set', () => {
  const story = askingSet().does({ type: 'answer-set', answers: { 's1-a': 'us', 's1-b': 'Mira' }, by: 'owner' })
  assert.deepEqual(story.types(), ['build.answered'])
})
refuses('no choice', 'not_a_choice', () => answerOne(asking(), 'asia'))
refuses('nothing said', 'answer_missing', () => answerOne(asking(), '  '))
refuses('one answer to a set', 'wrong_answer_kind', () => answerOne(askingSet()))
refuses('a set to one question', 'wrong_answer_kind', () => asking().does({ type: 'answer-set', answers: {}, by: 'owner' }))
refuses('one of the set is missing', 'answer_missing', () =>
  askingSet().does({ type: 'answer-set', answers: { 's1-a': 'eu' }, by: 'owner' }),
)
refuses('an id of no question', 'answer_unknown', () =>
  askingSet().does({ type: 'answer-set', answers: { 's1-a': 'eu', 's1-b': 'x', z: 'y' }, by: 'owner' }),
)
refuses('another question', 'question_not_found', () => asking().does({ type: 'answer-one', question: 'q-x', answer: 'eu', by: 'owner' }))
refuses('nothing is asked', 'no_question_open', () => answerOne(building()))
refuses('answered before', 'already_answered', () => answerOne(answerOne(asking())))

const silent = (): Story => building().sends(...working)
plays(accepts, 'T12', 'once after more than 45 s', () => {
  const story = silent().does({ type: 'reassure' }, 45_001)
  assert.deepEqual(story.types(), ['assistant.message.created'])
})
plays(accepts, 'T12', 'again after a real change and another silence', () => {
  const story = silent().does({ type: 'reassure' }, 45_001).sends(ends('build_record')).does({ type: 'reassure' }, 45_001)
  assert.deepEqual(story.types(), ['assistant.message.created'])
})
const quiet = (name: string, run: () => Story): void =>
  plays(rejects, 'T12', name, () => {
    const story = run()
    assert.deepEqual([story.refused, story.types()], [null, []])
  })
quiet('not at 45 s', () => silent().does({ type: 'reassure' }, 45_000))
quiet('not twice in one silence', () => silent().does({ type: 'reassure' }, 45_001).does({ type: 'reassure' }, 90_000))
quiet('not while it waits for the person', () => asking().does({ type: 'reassure' }, 90_000))
plays(accepts, 'T12', 'before the first event of the agent too', () => {
  const story = building().does({ type: 'reassure' }, 90_000)
  assert.deepEqual([story.refused, story.types()], [null, ['status.changed', 'assistant.message.created']])
})
quiet('not after the end', () =>
  building()
    .sends(...wholeBuild)
    .does({ type: 'reassure' }, 90_000),
)
plays(rejects, 'T12', 'a log with an early reassurance', () => {
  const lines = [start, running, starts('build_record')].map((event, index) => JSON.stringify({ ...event, at: index }))
  const early = JSON.stringify({ ...(raw(say('Still on it.'), { kind: 'reassurance' }) as object), at: 10_000 })
  assert.ok(checkBuildLog([...lines, early]).some(({ id, severity }) => id === 'T12' && severity === 'error'))
})
const start: BuildEvent = { type: 'session.started', payload: { build_id: 'b', session_id: 's', source: 'backend' } }

plays(accepts, 'T13', 'plain words', () => assert.deepEqual(guardWords('Your reading list agent is ready.').findings, []))
const guarded = (name: string, said: string, around: Parameters<typeof guardWords>[1] = {}): void =>
  plays(rejects, 'T13', name, () => assert.notDeepEqual(guardWords(said, around).findings, []))
guarded('more than 280 characters', 'word '.repeat(100))
guarded('a header', '[FROM:TIDY] hello')
guarded('inner workings', 'Spawning three workers.')
guarded('the step once more', 'Planning your agent', { step: { words: ['Planning your agent'], at: 0 }, at: 2_000 })
plays(accepts, 'T13', 'the same words later', () =>
  assert.deepEqual(guardWords('Planning your agent', { step: { words: ['Planning your agent'], at: 0 }, at: 2_001 }).findings, []),
)

const ids = { build: 'b1', session: 's1' }
const block = (...lines: string[]): string => ['[FROM:TIDY]', '[BUILD_ID:b1]', '[SESSION_ID:s1]', ...lines, '', 'hello'].join('\n')
const message = (name: string, text: string): void =>
  plays(accepts, 'T14', name, () => assert.equal((readTurnMessage(text, ids) as { kind?: string }).kind, 'build'))
const badMessage = (name: string, text: string): void =>
  plays(rejects, 'T14', name, () => {
    const read = readTurnMessage(text, ids)
    assert.ok('refused' in read && read.refused.code === 'bad_turn_message', JSON.stringify(read))
  })
message('a request', block('[MESSAGE_TYPE:BUILD_REQUEST]'))
message('an answer', block('[MESSAGE_TYPE:USER_ANSWER]', '[QUESTION_ID:q1]'))
message('answers', block('[MESSAGE_TYPE:USER_ANSWERS]', '[QUESTION_IDS:q1,q2]'))
badMessage('another build', block('[MESSAGE_TYPE:BUILD_REQUEST]').replace('b1', 'b2'))
badMessage('another session', block('[MESSAGE_TYPE:BUILD_REQUEST]').replace('s1', 's2'))
badMessage('an unknown type', block('[MESSAGE_TYPE:HELLO]'))
badMessage('no type', block())
badMessage('a header twice', block('[MESSAGE_TYPE:BUILD_REQUEST]', '[MESSAGE_TYPE:BUILD_REQUEST]'))
badMessage('QUESTION_ID with a request', block('[MESSAGE_TYPE:BUILD_REQUEST]', '[QUESTION_ID:q1]'))
badMessage('QUESTION_IDS with one answer', block('[MESSAGE_TYPE:USER_ANSWER]', '[QUESTION_ID:q1]', '[QUESTION_IDS:q1,q2]'))
badMessage('QUESTION_ID missing', block('[MESSAGE_TYPE:USER_ANSWER]'))
badMessage('blanks between ids', block('[MESSAGE_TYPE:USER_ANSWERS]', '[QUESTION_IDS:q1, q2]'))
badMessage('an id twice', block('[MESSAGE_TYPE:USER_ANSWERS]', '[QUESTION_IDS:q1,q1]'))
badMessage('an empty id', block('[MESSAGE_TYPE:USER_ANSWERS]', '[QUESTION_IDS:q1,,q2]'))

for (const rule of ruleIds) {
  for (const { name, run } of accepts[rule]) test(`${rule} accepts: ${name}`, run)
  for (const { name, run } of rejects[rule]) test(`${rule} rejects: ${name}`, run)
}

test('every rule has examples of both kinds', () => {
  for (const rule of ruleIds) assert.ok(accepts[rule].length > 0 && rejects[rule].length > 0, rule)
})
