import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredBuildEvent, publicEvents } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { needsTurn, silenceDueAt, getStanding } from './build-state.ts'
import { checkBuildLog } from './check-log.ts'
import { readAnswers, readTurnMessage } from './header.ts'
import {
  asks,
  asksSet,
  building,
  complete,
  completedAll,
  ends,
  failed,
  running,
  say,
  starts,
  steps,
  Story,
  wholeBuild,
} from './test/agent-script.ts'
import { turnMessage, turnText } from './turn-message.ts'

const toErrors = (story: Story): unknown[] =>
  // Faults of the agent are events of their own; this checks the rest.
  checkBuildLog(story.log.filter(({ type }) => type !== 'build.faulted').map((event) => JSON.stringify(event))).filter(
    ({ severity }) => severity === 'error',
  )

const getTexts = (events: StoredBuildEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'assistant.message.created' ? [event.data.text] : []))

test('a whole build, with a question and a set, is told as the protocol says', () => {
  const story = building().sends(running, starts('build_record'), asks()).endsTurn()
  assert.equal(getStanding(story.state), 'waiting')
  assert.equal(needsTurn(story.state), false)
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' }, 600_000)
  assert.equal(needsTurn(story.state), true)
  story.does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /\[MESSAGE_TYPE:USER_ANSWER\]\n\[QUESTION_ID:q-region\]\n\n[^\n]*\neu$/)
  story.sends(ends('build_record'), asksSet()).endsTurn()
  story.does({ type: 'answer-set', set: 's1', answers: { 's1-a': 'US', 's1-b': 'Mira' }, by: 'owner' }).does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /\[QUESTION_IDS:s1-a,s1-b\]\n\n[^\n]*\n\{"s1-a":"us","s1-b":"Mira"\}$/)
  story.sends(...steps().slice(2), say('Your agent is ready.'), complete, completedAll).endsTurn()
  assert.equal(getStanding(story.state), 'complete')
  assert.equal(story.state.end?.output, 'All there.')
  assert.deepEqual([story.faults(), toErrors(story), needsTurn(story.state)], [[], [], false])
  const numbered = story.log.map((event, index) => ({ ...event, seq: index + 1 }))
  assert.deepEqual(
    publicEvents(numbered).map(({ seq, type }) => [numbered[seq - 1]?.type, type][0]),
    story.public(),
  )
})

test('a fault gives a hint, three in a row end the build in words a person understands', () => {
  const story = building().sends(running, starts('parse')).endsTurn()
  assert.ok(needsTurn(story.state), 'it is run again to be told')
  story.does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /not taken: The next step is build_record/)
  assert.match(turnText(story.state) ?? '', /^System note: something.*\nBuild me a reading list$/s)
  story.sends(starts('build_record'), starts('design'), ends('build_record'))
  assert.deepEqual(story.types(), ['progress.step.started', 'build.faulted', 'progress.step.completed'])
  assert.equal(story.state.faultsInRow, 0, 'an accepted event ends the row')
  for (let told = 0; told < 2; told += 1) story.sends(starts('design')).endsTurn().does({ type: 'start-turn' })
  story.sends(starts('design'), starts('parse'))
  assert.deepEqual(story.types(), ['build.faulted', 'build.failed', 'assistant.message.created', 'status.changed', 'session.failed'])
  assert.equal(story.state.end?.reason, 'protocol violation')
  assert.match(getTexts(story.last)[0] ?? '', /lost track/)
  assert.deepEqual(toErrors(story), [])
})

test('a repair turn has the input of the faulty turn, and repeated output breaks no rule', () => {
  const story = building().sends(running, starts('build_record'), asks()).endsTurn()
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' }).does({ type: 'start-turn' })
  const begun = [ends('build_record'), starts('parse'), say('Half of it is done.'), ends('parse')]
  story.does({ type: 'instruct', text: 'In blue', by: 'owner' }).sends(...begun, starts('design'))
  story.endsTurn().does({ type: 'start-turn' })
  assert.match(
    turnMessage(story.state) ?? '',
    /USER_ANSWER\]\n\[QUESTION_ID:q-region\]\n\n[^\n]*\nSystem note: something[^\n]*\n[^\n]*adds: In blue\neu$/,
  )
  const visibleCount = story.public().length
  assert.equal(story.sends(...begun).public().length, visibleCount, 'what was taken is not shown twice')
  story.sends(...steps().slice(4), say('Your agent is ready.'), complete, completedAll).endsTurn()
  assert.deepEqual([getStanding(story.state), story.faults(), toErrors(story)], ['complete', ['T2'], []])
})

test('a question of a faulty turn is answered in the repair turn; a set stays a set', () => {
  const story = building().sends(running, starts('parse'), starts('build_record'), asksSet()).endsTurn()
  story.does({ type: 'answer-set', answers: { 's1-a': 'us', 's1-b': 'Mira' }, by: 'owner' }).does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /USER_ANSWERS\][^]*not taken[^\n]*\n\{"s1-a":"us","s1-b":"Mira"\}$/)
  story.sends(running, starts('build_record'), ends('build_record')).endsTurn()
  assert.equal(getStanding(story.state), 'running', 'output that is repeated is no fault')
})

test('what it does wrong before it could read the hint counts once', () => {
  const story = building().sends(running, starts('parse'), ends('parse'), starts('research'), ends('research'))
  assert.deepEqual([getStanding(story.state), story.state.faultsInRow], ['running', 1])
  story.endsTurn().does({ type: 'start-turn' }).sends(starts('parse')).endsTurn().does({ type: 'start-turn' })
  assert.equal(story.state.faultsInRow, 2)
  story.sends(starts('build_record')).sends(starts('design')).endsTurn().does({ type: 'start-turn' }).sends(starts('design'))
  assert.deepEqual([getStanding(story.state), story.state.faultsInRow], ['running', 2], 'an accepted event ends the row')
  assert.equal(getStanding(story.endsTurn().does({ type: 'start-turn' }).sends(starts('design')).state), 'failed')
  assert.deepEqual(toErrors(story), [])
})

test('a message between faults does not keep a build alive for ever', () => {
  const story = building().sends(running)
  for (let count = 0; count < 3; count += 1)
    story
      .sends(say(`Line ${count}.`))
      .endsTurn()
      .does({ type: 'start-turn' })
  assert.equal(getStanding(story.state), 'failed')
})

test('an agent that is told in the middle of its turn has had its hint', () => {
  const story = building().sends(running, starts('parse')).does({ type: 'give-hint', turn: 1 })
  assert.deepEqual(story.types(), ['build.hinted'])
  assert.deepEqual(story.does({ type: 'give-hint', turn: 1 }).types(), [])
  assert.equal(getStanding(story.sends(starts('parse')).state), 'running')
  assert.deepEqual(story.does({ type: 'give-hint', turn: 1 }).types(), ['build.hinted'], 'the next fault is told as well')
  assert.equal(getStanding(story.sends(starts('parse')).state), 'failed')
})

test('a turn that ends in the middle is a fault like others', () => {
  const story = building().sends(running, starts('build_record')).endsTurn()
  assert.deepEqual(story.types(), ['build.turn.ended', 'build.faulted'])
  story.does({ type: 'start-turn' }).endsTurn()
  assert.equal(getStanding(story.state), 'running')
  assert.deepEqual(story.does({ type: 'start-turn' }).endsTurn().public().slice(-3), [
    'assistant.message.created',
    'status.changed',
    'session.failed',
  ])
})

test('a flood of faults is bounded in the log', () => {
  const story = building()
  for (let count = 0; count < 100; count += 1) story.sends(starts('parse'))
  assert.equal(story.faults().length, buildLimits.keptFaults)
})

test('an agent that died, hangs or floods leaves a valid log, wherever it was', () => {
  const before = [[], [running], [running, starts('build_record')], [running, starts('build_record'), asks()], [running, ...steps()]]
  for (const events of before) {
    const story = building().sends(...events)
    story.does({ type: 'fail-turn', turn: 1, code: 'command_failed', details: { status: '137', why: 'killed' } })
    assert.deepEqual(story.public().slice(-3), ['assistant.message.created', 'status.changed', 'session.failed'])
    assert.equal(story.public()[1], 'status.changed', 'running comes first, also when the agent never said it')
    assert.deepEqual([toErrors(story), getStanding(story.state), story.state.end?.reason], [[], 'failed', 'agent stopped'])
  }
})

test('one that died after its last status has finished', () => {
  const done = building()
    .sends(running, ...steps(), complete)
    .does({ type: 'fail-turn', code: 'command_failed', details: {} })
  assert.deepEqual(done.public().slice(-2), ['assistant.message.created', 'session.completed'])
  const forgot = building().sends(running, say('No luck.'), failed).endsTurn()
  assert.deepEqual(forgot.public().slice(-2), ['status.changed', 'session.failed'])
  assert.deepEqual([toErrors(done), toErrors(forgot)], [[], []])
})

test('a summary that could not be shown is replaced by a plain one', () => {
  const story = building().sends(running, ...steps(), say('The pipeline is done.'), complete, completedAll)
  assert.deepEqual(getTexts(story.log), ['Your build is ready.'])
  assert.deepEqual([story.faults(), toErrors(story)], [[], []])
})

test('cancelling ends it at once, and again changes nothing', () => {
  const story = building().sends(running, starts('build_record'), asks()).does({ type: 'cancel-build', by: 'owner' })
  assert.deepEqual(story.types(), ['build.cancelled', 'assistant.message.created', 'status.changed', 'session.failed'])
  assert.deepEqual([getStanding(story.state), story.state.end?.reason], ['cancelled', 'cancelled'])
  assert.deepEqual(story.does({ type: 'cancel-build', by: 'owner' }).types(), [])
  assert.deepEqual(story.sends(ends('build_record')).public().at(-1), 'session.failed')
  assert.equal(
    building()
      .sends(...wholeBuild)
      .does({ type: 'cancel-build', by: 'owner' }).refused,
    'build_over',
  )
})

test('an additional message waits for the open question and comes with its answer', () => {
  const story = building().sends(running, starts('build_record'), asks()).endsTurn()
  story.does({ type: 'instruct', text: 'In blue, please', by: 'owner' })
  assert.equal(needsTurn(story.state), false, 'the question is still open')
  story.does({ type: 'answer-one', question: 'q-region', answer: 'us', by: 'owner' }).does({ type: 'start-turn' })
  assert.match(
    turnMessage(story.state) ?? '',
    /USER_ANSWER\]\n\[QUESTION_ID:q-region\]\n\n[^\n]*\nSystem note: the person adds: In blue, please\nus$/,
  )
  assert.equal(turnText(story.state), 'System note: the person adds: In blue, please\nWhich region? → US')
  assert.deepEqual(story.state.inputs, [], 'it is told once')
})

test('a message after the result asks for a change, as a new round of the same session', () => {
  const story = building()
    .sends(...wholeBuild)
    .endsTurn()
  story.does({ type: 'instruct', text: 'Make it blue', by: 'owner' })
  assert.deepEqual(story.types(), ['build.instructed', 'build.retried', 'session.started'])
  assert.deepEqual(story.log.at(-1)?.data, { build_id: 'b1', session_id: 's1', round: 2, source: 'backend' })
  story.does({ type: 'start-turn' })
  assert.match(
    turnMessage(story.state) ?? '',
    /BUILD_REQUEST\]\n\n[^\n]*\n[^\n]*new round of the same session\. The one before was completed[^\n]*“Build me a reading list”[^\n]*\nMake it blue$/,
  )
  story.sends(...wholeBuild).endsTurn()
  assert.deepEqual([getStanding(story.state), toErrors(story)], ['complete', []])
})

test('a reassurance excuses a repeated start only in its own round', () => {
  const story = building().does({ type: 'reassure' }, 45_001).sends(running).does({ type: 'fail-turn', code: 'turn_crashed', details: {} })
  assert.deepEqual([getStanding(story.state), story.faults()], ['failed', []])
  story.does({ type: 'retry-build', by: 'owner' }).does({ type: 'start-turn' }).sends(running)
  assert.deepEqual([story.types(), story.faults()], [['status.changed'], []])
  story.sends(running)
  assert.equal(story.faults().length, 1)
})

test('a message that came too late begins a new round when the person continues with it', () => {
  const story = building()
    .sends(...wholeBuild.slice(0, -1))
    .does({ type: 'instruct', text: 'In blue', by: 'owner' })
  story.sends(...wholeBuild.slice(-1)).endsTurn()
  assert.deepEqual(story.state.unheard, ['In blue'])
  story.does({ type: 'retry-build', by: 'owner' }).does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /\nIn blue$/)
  const ended = building()
    .does({ type: 'fail-turn', code: 'turn_crashed', details: {} })
    .does({ type: 'instruct', text: 'Smaller', by: 'owner' })
  assert.match(turnText(ended.does({ type: 'start-turn' }).state) ?? '', /ended early[^]*adds: Smaller\nBuild me a reading list$/)
})

test('messages can reach an agent inside its turn, and are then told', () => {
  const story = building().sends(running, starts('build_record')).does({ type: 'instruct', text: 'In blue', by: 'owner' })
  story.does({ type: 'tell-additions', turn: 1 })
  assert.deepEqual([story.types(), story.state.inputs], [['build.told'], []])
  assert.deepEqual(story.does({ type: 'tell-additions', turn: 1 }).types(), [])
})

test('additional messages beside the answers to a set are notes of one line each', () => {
  const story = building().sends(running, starts('build_record'), asksSet()).endsTurn()
  for (const text of ['In blue,\n\nplease', 'And large']) story.does({ type: 'instruct', text, by: 'owner' })
  story.does({ type: 'answer-set', answers: { 's1-a': 'us', 's1-b': 'Mira' }, by: 'owner' }).does({ type: 'start-turn' })
  const read = readTurnMessage(turnMessage(story.state) ?? '', { build: 'b1', session: 's1' })
  assert.ok('kind' in read && read.kind === 'build')
  assert.deepEqual(read.notes, ['System note: the person adds: In blue, please', 'System note: the person adds: And large'])
  assert.deepEqual(readAnswers(read.body, ['s1-a', 's1-b']), { answers: { 's1-a': 'us', 's1-b': 'Mira' } })
})

test('a message before the first turn, or during a turn, comes with the next turn', () => {
  const early = new Story()
  early.does({ type: 'open-build', build: 'b1', session: 's1', prompt: 'A list', agent: 'ada', locale: 'en', by: 'owner' })
  early.does({ type: 'instruct', text: 'In blue', by: 'owner' }).does({ type: 'start-turn' })
  assert.equal(turnText(early.state), 'System note: the person adds: In blue\nA list')
  early.does({ type: 'instruct', text: 'And large', by: 'owner' }).does({ type: 'start-turn' })
  assert.match(turnText(early.state) ?? '', /interrupted[^]*adds: In blue\n[^]*adds: And large\nA list$/, 'also when the turn was cut')
  early.does({ type: 'instruct', text: 'And soon', by: 'owner' }).sends(running, starts('build_record')).endsTurn()
  assert.equal(turnText(early.does({ type: 'start-turn' }).state), 'And soon', 'a turn of its own where nothing else is to be told')
})

test('a message that no turn could receive before the end is logged for the operator', () => {
  const story = building().does({ type: 'instruct', text: 'In blue', by: 'owner' })
  story.sends(...wholeBuild)
  assert.deepEqual(story.types().slice(-2), ['build.unheard', 'session.completed'])
  assert.deepEqual(story.log.find(({ type }) => type === 'build.unheard')?.data, { wishes: ['In blue'] })
  assert.deepEqual(toErrors(story), [])
  const cancelled = building().does({ type: 'instruct', text: 'In blue', by: 'owner' }).does({ type: 'cancel-build', by: 'owner' })
  assert.equal(cancelled.types().includes('build.unheard'), false, 'who cancels wants nothing more')
})

test('additional messages are limited in number and length', () => {
  const story = building()
  assert.equal(story.does({ type: 'instruct', text: ' ', by: 'owner' }).refused, 'empty_text')
  assert.equal(story.does({ type: 'instruct', text: 'x'.repeat(buildLimits.promptChars + 1), by: 'owner' }).refused, 'text_too_long')
  for (let count = 0; count < buildLimits.waitingInstructions; count += 1) story.does({ type: 'instruct', text: 'More', by: 'owner' })
  assert.equal(story.does({ type: 'instruct', text: 'More', by: 'owner' }).refused, 'too_many_waiting')
})

test('a turn cut by a crash is taken up again, and what it says again is shown once', () => {
  const story = building().sends(running, starts('build_record'), say('Hello there.'), ends('build_record'), starts('parse'))
  const shown = story.public().length
  story.does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /interrupted\. Done: build_record; open: parse; [^]*\nBuild me a reading list$/)
  story.sends(running, starts('build_record'), say('Hello there.'), ends('build_record'), starts('parse'))
  assert.equal(story.public().length, shown)
  story.sends(ends('parse'), starts('research'))
  assert.equal(story.public().length, shown + 2)
  assert.deepEqual([story.faults(), story.does({ type: 'end-turn', turn: 1 }).refused], [[], 'turn_over'])
})

test('wherever a turn is cut, an agent that begins again at its beginning leaves the same log', () => {
  const whole = building().sends(...wholeBuild)
  for (let sentCount = 0; sentCount < wholeBuild.length - 1; sentCount += 1) {
    const story = building()
      .sends(...wholeBuild.slice(0, sentCount))
      .does({ type: 'start-turn' })
    if (story.state.turn) story.sends(...wholeBuild).endsTurn()
    assert.deepEqual([story.public(), story.faults()], [whole.public(), []], `cut after ${sentCount}`)
  }
})

test('a late answer is told who was first, by the id of the set or of one of its questions', () => {
  const story = building().sends(running, asksSet())
  const answers = { 's1-a': 'us', 's1-b': 'Mira' }
  story.does({ type: 'answer-set', answers, by: 'owner' })
  assert.equal(story.does({ type: 'answer-set', set: 's1', answers, by: 'other' }).refused, 'already_answered')
  assert.equal(story.does({ type: 'answer-set', answers, by: 'other' }).refused, 'already_answered')
  assert.equal(story.does({ type: 'answer-one', question: 's1-a', answer: 'eu', by: 'other' }).refused, 'already_answered')
})

test('a turn cut after its question or its status is not run again', () => {
  const asked = building().sends(running, starts('build_record'), asks()).does({ type: 'start-turn' })
  assert.deepEqual([asked.types(), needsTurn(asked.state)], [['build.turn.ended'], false])
  const answered = building()
    .sends(running, starts('build_record'), asks())
    .does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' })
    .does({ type: 'start-turn' })
  assert.deepEqual(answered.types(), ['build.turn.ended', 'build.turn.started'])
  assert.match(turnMessage(answered.state) ?? '', /USER_ANSWER\]/)
  const done = building()
    .sends(running, ...steps(), say('Ready.'), complete)
    .does({ type: 'start-turn' })
  assert.deepEqual(done.types(), ['build.turn.ended', 'session.completed'])
})

test('what comes from a turn that is over is refused', () => {
  const story = building().sends(running, asks()).endsTurn()
  assert.equal(story.does({ type: 'take-items', turn: 1, items: [] }).refused, 'turn_over')
  assert.equal(story.does({ type: 'fail-turn', turn: 1, code: 'command_failed', details: {} }).refused, 'turn_over')
  assert.equal(story.does({ type: 'start-turn' }).refused, 'turn_over')
})

test('a build is opened once, with words in it', () => {
  const open = { type: 'open-build', build: 'b', session: 's', prompt: 'x', agent: 'a', locale: 'en', by: 'o' } as const
  assert.equal(new Story().does({ ...open, prompt: ' \n' }).refused, 'empty_text')
  assert.equal(new Story().does(open).does(open).refused, 'build_exists')
  assert.equal(new Story().does({ type: 'start-turn' }).refused, 'build_not_found')
})

test('when the person is to be reassured is known beforehand', () => {
  const story = building()
  assert.notEqual(silenceDueAt(story.state), null, 'also before the first event of the agent')
  const queued = new Story().does({ type: 'open-build', build: 'b1', session: 's1', prompt: 'A list', agent: 'ada', locale: 'en', by: 'o' })
  queued.does({ type: 'reassure' }, 45_001)
  assert.deepEqual(queued.types(), ['status.changed', 'assistant.message.created'])
  queued.does({ type: 'start-turn' }).sends(running, starts('build_record'))
  assert.deepEqual([queued.types(), toErrors(queued)], [['progress.step.started'], []], 'the agent’s own "running" is a repeat')
  story.sends(running)
  assert.equal(silenceDueAt(story.state), story.at + 45_001)
  story.does({ type: 'reassure' }, 45_001)
  assert.equal(silenceDueAt(story.state), null)
  story.sends(starts('build_record'))
  assert.equal(silenceDueAt(story.state), story.at + 45_001)
  story.sends(asks())
  assert.equal(silenceDueAt(story.state), null)
})

test('how many messages and questions an agent may send is bounded', () => {
  const story = building().sends(running, ...Array.from({ length: 150 }, (_, index) => say(`Line ${index}.`)))
  assert.equal(getTexts(story.log).length, buildLimits.messagesPerStep)
  assert.deepEqual(story.faults(), [])
  const noted = story.log.filter(({ type }) => type === 'build.words.guarded').length
  assert.equal(noted, buildLimits.messagesPerTurn - buildLimits.messagesPerStep)
})

test('a repeated message is shown once in a step; the summary is never dropped', () => {
  const story = building().sends(running, starts('build_record'), say('Nearly there.'), say('nearly there'), ends('build_record'))
  assert.deepEqual(getTexts(story.log), ['Nearly there.'])
  const chatty = Array.from({ length: 9 }, (_, index) => say(`Line ${index}.`))
  const done = building().sends(running, ...steps().slice(0, -1), ...chatty, ...steps().slice(-1), say('Line 1.'), complete, completedAll)
  assert.equal(getTexts(done.log).at(-1), 'Line 1.')
  const early = building().sends(running, starts('build_record'), ...chatty, failed)
  assert.equal(getTexts(early.log).at(-1), 'Line 8.', 'the last words before the status are the summary')
})

test('a message after a dropped event waits until the turn is judged', () => {
  const early = building().sends(running, starts('build_record'), complete, say('All done!'))
  assert.deepEqual(getTexts(early.log), [])
  assert.deepEqual(getTexts(early.endsTurn().log), [], 'the end before it was none')
  const fine = building().sends(running, starts('parse'), say('I found three books.'))
  assert.deepEqual(getTexts(fine.log), [])
  assert.deepEqual(getTexts(fine.sends(starts('build_record')).log), ['I found three books.'])
  const judged = building().sends(running, starts('parse'), say('I found three books.')).endsTurn()
  assert.deepEqual(getTexts(judged.log), ['I found three books.'])
  const failing = building().sends(running, starts('parse'))
  for (let told = 0; told < 2; told += 1) failing.does({ type: 'give-hint', turn: 1 }).sends(say(`Book ${told}.`), starts('parse'))
  assert.equal(getTexts(failing.log).length, 1, 'the failure is told once, and nothing else')
})

test('retry continues a failed build as a new round of the same session', () => {
  const story = building().sends(running, starts('build_record'), asks()).endsTurn()
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' }).does({ type: 'start-turn' })
  story.does({ type: 'instruct', text: 'In blue', by: 'owner' })
  const { build, session } = story.state
  story.does({ type: 'fail-turn', code: 'turn_crashed', details: {} })
  assert.equal(getStanding(story.state), 'failed')

  story.does({ type: 'retry-build', by: 'owner' })
  assert.deepEqual(story.types(), ['build.retried', 'session.started'])
  assert.deepEqual(story.log.at(-1)?.data, { build_id: build, session_id: session, round: 2, source: 'backend' })
  assert.deepEqual([getStanding(story.state), needsTurn(story.state), story.state.progress.done], ['starting', true, []])

  story.does({ type: 'start-turn' })
  const message = turnMessage(story.state) ?? ''
  assert.match(message, /\[MESSAGE_TYPE:BUILD_REQUEST\]/)
  assert.match(message, /a new round of the same session/)
  assert.match(message, /the person adds: In blue/)
  assert.ok('body' in readTurnMessage(message, { build, session }), 'the header rules hold in every round')

  // The question that was answered is not asked again: its answer is the next message.
  story.sends(running, starts('build_record'), asks()).endsTurn()
  assert.deepEqual([story.faults(), story.state.progress.question], [[], null])
  story.does({ type: 'start-turn' })
  assert.match(turnMessage(story.state) ?? '', /\[MESSAGE_TYPE:USER_ANSWER\]\n\[QUESTION_ID:q-region\]\n\n[^\n]*\neu$/)
  story.sends(ends('build_record'), ...steps().slice(2), say('Your agent is ready.'), complete, completedAll).endsTurn()
  assert.equal(getStanding(story.state), 'complete')
  assert.deepEqual(toErrors(story), [])
})

test('a question whose earlier answer does not fit any more is asked again, and one that was never answered too', () => {
  const story = building().sends(running, asks()).endsTurn()
  story.does({ type: 'cancel-build', by: 'owner' }).does({ type: 'retry-build', by: 'owner' }).does({ type: 'start-turn' })
  story.sends(running, asks()).endsTurn()
  assert.equal(getStanding(story.state), 'waiting')
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' })
  story
    .does({ type: 'fail-turn', code: 'command_failed', details: {} })
    .does({ type: 'retry-build', by: 'owner' })
    .does({ type: 'start-turn' })
  const other = asks()
  if (other.type !== 'question.requested') assert.fail()
  const options = [
    { id: 'north', label: 'North' },
    { id: 'south', label: 'South' },
  ]
  story.sends(running, { ...other, payload: { ...other.payload, options } })
  assert.equal(getStanding(story.state), 'waiting')
  story.does({ type: 'answer-one', question: 'q-region', answer: 'north', by: 'owner' })
  assert.deepEqual(story.types(), ['build.answered'])
})

test('only a build that failed or was cancelled is retried, and not for ever', () => {
  const retried = (story: Story): string | null => story.does({ type: 'retry-build', by: 'owner' }).refused
  assert.equal(retried(building().sends(running)), 'build_not_retriable')
  assert.equal(retried(building().sends(...wholeBuild)), 'build_not_retriable')
  const story = building()
  for (let round = 1; round < buildLimits.rounds; round += 1)
    story.does({ type: 'cancel-build', by: 'owner' }).does({ type: 'retry-build', by: 'owner' })
  story.does({ type: 'cancel-build', by: 'owner' })
  assert.equal(retried(story), 'build_rounds_spent')
})

test('the end of a turn clears the crashes that were counted in it', () => {
  const story = building().sends(running, starts('build_record'), asks())
  story.does({ type: 'cut-turn' }).does({ type: 'cut-turn' })
  assert.equal(story.state.crashes.length, 2)
  story.endsTurn()
  assert.deepEqual(story.state.crashes, [])
})
