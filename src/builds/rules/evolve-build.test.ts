import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuildState, getStanding, initialBuild, needsTurn, silenceDueAt } from './build-state.ts'
import {
  asks,
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
  Story,
  wholeBuild,
} from './test/agent-script.ts'

const opened = () =>
  new Story().does({ type: 'open-build', build: 'b1', session: 's1', prompt: 'A list', agent: 'ada', locale: 'zh', by: 'mia' })

test('build: one that was just opened has its request and nothing behind it', () => {
  const { state, at } = opened()
  const expected: BuildState = {
    seq: state.seq,
    build: 'b1',
    session: 's1',
    agent: 'ada',
    prompt: 'A list',
    locale: 'zh',
    by: 'mia',
    author: null,
    authors: [],
    floor: state.floor,
    openedAt: at,
    updatedAt: at,
    progress: state.progress,
    end: null,
    isCancelled: false,
    turns: 0,
    turn: null,
    ended: null,
    inputs: [{ type: 'BUILD_REQUEST', text: 'A list' }],
    repair: null,
    faults: 0,
    faultsInRow: 0,
    answered: {},
    instructions: [],
    unheard: [],
    change: null,
    crashes: [],
    outageSince: null,
    ownWords: state.ownWords,
    silence: { changedAt: at, isReassured: false, reassured: 0 },
    step: null,
    isSummaryHeld: false,
    saidInStep: [],
    held: [],
    isEndDropped: false,
    isRunningSaid: false,
  }
  assert.deepEqual(state, expected)
})

test('build: its number is that of its last event, and its time too', () => {
  const story = opened()
  const check = () => assert.deepEqual([story.state.seq, story.state.updatedAt], [story.log.length, story.log.at(-1)?.at])
  check()
  story.does({ type: 'start-turn' })
  check()
  for (const event of wholeBuild) {
    story.sends(event)
    check()
  }
})

test('build: a repair turn knows what the faulty turn said, a resumed one what it said itself, and a new one nothing', () => {
  const said = (story: Story) => story.state.turn?.said
  const first = building().sends(running, starts('build_record'), say('Hello there.'))
  const words = said(first)
  assert.equal(words?.length, 1)
  assert.deepEqual(said(building()), [])
  assert.deepEqual(said(first.does({ type: 'start-turn' })), words, 'resumed')
  const faulty = building().sends(running, starts('build_record'), say('Hello there.'), starts('research')).endsTurn()
  assert.deepEqual(said(faulty.does({ type: 'start-turn' })), words, 'repair')
  const asking = building().sends(running, starts('build_record'), say('Hello there.'), asks()).endsTurn()
  asking.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' }).does({ type: 'start-turn' })
  assert.deepEqual(said(asking), [], 'new')
})

test('build: no person is reassured before it is open, while it asks, while it ends, or after it', () => {
  assert.equal(silenceDueAt(initialBuild), null)
  const open = opened()
  assert.equal(silenceDueAt(open.state), open.at + 45_001)
  for (const end of [complete, failed]) {
    const ending = building().sends(running, ...steps(), say('Your agent is ready.'))
    assert.notEqual(silenceDueAt(ending.state), null)
    ending.sends(end)
    assert.deepEqual([ending.state.progress.isOver, silenceDueAt(ending.state)], [false, null])
    ending.sends(end === complete ? completedAll : failedAll)
    assert.deepEqual([ending.state.progress.isOver, silenceDueAt(ending.state)], [true, null])
  }
  assert.equal(silenceDueAt(building().sends(running, asks()).state), null)
})

test('build: people see that it starts, runs, waits for them, and how it ended', () => {
  assert.deepEqual([getStanding(initialBuild), needsTurn(initialBuild)], ['starting', false])
  const story = opened()
  assert.deepEqual([getStanding(story.state), needsTurn(story.state)], ['starting', true])
  story.does({ type: 'start-turn' }).sends(running)
  assert.deepEqual([getStanding(story.state), needsTurn(story.state)], ['running', true])
  story.sends(starts('build_record'), asks()).endsTurn()
  assert.deepEqual([getStanding(story.state), needsTurn(story.state)], ['waiting', false])
  story.does({ type: 'answer-one', question: 'q-region', answer: 'eu', by: 'owner' })
  assert.deepEqual([getStanding(story.state), needsTurn(story.state)], ['running', true])
  story.does({ type: 'start-turn' }).sends(ends('build_record'), ...steps().slice(2), say('Your agent is ready.'), complete, completedAll)
  assert.deepEqual([getStanding(story.state), needsTurn(story.state)], ['complete', false])
})
