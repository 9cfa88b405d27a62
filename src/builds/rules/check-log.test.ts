import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildEvent } from './build-events.ts'
import { checkBuildLog, isAgentOutput, type LogFinding } from './check-log.ts'
import { writeTurnMessage } from './header.ts'
import { asks, asksSet, complete, completedAll, ends, running, say, starts, steps, wholeBuild } from './test/agent-script.ts'

const start: BuildEvent = { type: 'session.started', payload: { build_id: 'b', session_id: 's', source: 'backend' } }
const lines = (...events: (BuildEvent | object)[]): string[] => events.map((event) => JSON.stringify(event))
const errors = (findings: LogFinding[]): string[] =>
  findings.filter((one) => one.severity === 'error').map(({ line, id }) => `${line} ${id}`)
const timed = (...pairs: [number, BuildEvent | object][]): string[] => pairs.map(([at, event]) => JSON.stringify({ ...event, at }))

test('a whole build has no findings', () => {
  assert.deepEqual(checkBuildLog(lines(start, ...wholeBuild)), [])
})

test('an empty log and an unfinished one', () => {
  assert.deepEqual(errors(checkBuildLog([])), ['1 T1'])
  assert.deepEqual(checkBuildLog(lines(start, running)), [
    { line: 2, id: 'T6', severity: 'warning', words: 'The build has not ended in this log.' },
  ])
})

test('one missing event is told once, not again for all that follow', () => {
  const events = [running, ...steps().filter((_, index) => index !== 4 && index !== 5), say('Ready.'), complete, completedAll]
  assert.deepEqual(errors(checkBuildLog(lines(start, ...events))), ['7 T2'])
  const numbered = wholeBuild.map((event, index) => ({ ...event, seq: index + 1 }))
  assert.deepEqual(errors(checkBuildLog(lines(...numbered))).slice(0, 1), ['1 T1'])
})

test('what the agent broke and was dropped is told with its rule', () => {
  const fault = { type: 'build.faulted', data: { turn: 1, rule: 'T2', words: 'The next step is parse, not design.' } }
  assert.deepEqual(checkBuildLog(lines(start, running, fault, ...wholeBuild.slice(1))), [
    { line: 3, id: 'T2', severity: 'error', words: 'The next step is parse, not design.' },
  ])
})

test("an agent's own output is checked from where its turn begins", () => {
  const first = lines(running, starts('build_record'), asks())
  assert.deepEqual([isAgentOutput(first), isAgentOutput(lines(start, running)), isAgentOutput([])], [true, false, false])
  assert.deepEqual(checkBuildLog(first), [])
  assert.deepEqual(checkBuildLog(lines(...wholeBuild)), [])
  assert.deepEqual(checkBuildLog(lines(ends('parse'), starts('research'), asks())), [])
  assert.deepEqual(errors(checkBuildLog(lines(ends('parse'), starts('design')))), ['2 T2'])
  assert.deepEqual(errors(checkBuildLog(lines(starts('build_record')))), ['1 T1'])
  assert.deepEqual(errors(checkBuildLog([...first, 'oops'])), ['4 T8'])
})

test('other words for a step are a warning', () => {
  const odd = { ...starts('build_record'), payload: { ...starts('build_record').payload, title: 'Booting' } }
  const findings = checkBuildLog(lines(start, running, odd, ...wholeBuild.slice(2)))
  assert.deepEqual(
    findings.map(({ line, id, severity }) => [line, id, severity]),
    [[3, 'T4', 'warning']],
  )
})

test('lines that are no events are named by their number', () => {
  assert.deepEqual(errors(checkBuildLog(['', 'hello', '[1]', '{"type":"phase.changed","payload":{"source":"agent"}}', ...lines(start)])), [
    '2 T8',
    '3 T8',
    '4 T8',
  ])
})

test('without answers in the log, going on is the sign of one; with them, T10 is exact', () => {
  const open = [start, running, starts('build_record'), asks()]
  assert.deepEqual(errors(checkBuildLog(lines(...open, ends('build_record')))), [])
  const answer = { type: 'build.answered', data: { question: 'q-region', kind: 'one', answers: { 'q-region': 'eu' } } }
  assert.deepEqual(errors(checkBuildLog(lines(...open, answer, ends('build_record')))), [])
  assert.deepEqual(errors(checkBuildLog(lines(...open, ends('build_record'), answer))), ['5 T10'])
  assert.deepEqual(errors(checkBuildLog(lines(start, running, answer))), ['3 T11'])
  const wrong = { type: 'build.answered', data: { question: 'q-region', kind: 'one', answers: { 'q-region': 'mars' } } }
  assert.deepEqual(errors(checkBuildLog(lines(...open, wrong))), ['5 T11'])
})

test('messages to the agent are checked by T11 and T14', () => {
  const ids = { build: 'b', session: 's' }
  const message = (text: string): object => ({ message: text })
  const open = [start, running, starts('build_record'), asksSet()]
  const right = writeTurnMessage({ ...ids, type: 'USER_ANSWERS', questions: ['s1-a', 's1-b'] }, '{"s1-a":"eu","s1-b":"x"}')
  assert.deepEqual(errors(checkBuildLog(lines(...open, message(right), ends('build_record')))), [])
  const other = writeTurnMessage({ ...ids, build: 'c', type: 'BUILD_REQUEST' }, 'x')
  assert.deepEqual(errors(checkBuildLog(lines(start, message(other)))), ['2 T14'])
  const one = writeTurnMessage({ ...ids, type: 'USER_ANSWER', question: 's1-a' }, 'eu')
  assert.deepEqual(errors(checkBuildLog(lines(...open, message(one)))), ['5 T11'])
  assert.deepEqual(errors(checkBuildLog(lines(...open, message('[FROM:TIDY]\nhi')))), ['5 T14'])
})

test('silence is measured where the log has times', () => {
  const calm = { type: 'assistant.message.created', payload: { text: 'Still on it.', kind: 'reassurance', source: 'agent' } }
  const right = timed([0, start], [0, running], [45_001, calm], [100_000, starts('build_record')])
  assert.deepEqual(errors(checkBuildLog(right)), [])
  assert.deepEqual(errors(checkBuildLog(timed([0, start], [0, running], [60_000, starts('build_record')]))), ['3 T12'])
  assert.deepEqual(errors(checkBuildLog(timed([0, start], [0, running], [45_000, calm]))), ['3 T12'])
  assert.deepEqual(errors(checkBuildLog(timed([0, start], [0, running], [46_000, calm], [99_000, calm]))), ['4 T12'])
  assert.deepEqual(errors(checkBuildLog(timed([0, start], [0, running], [1, asks()], [99_000, calm]))), ['4 T12'])
  assert.deepEqual(errors(checkBuildLog(timed([0, start], [0, running], [1, asks()], [99_000, starts('build_record')]))), [])
})

test('words for the person are looked over', () => {
  const messages = ['Spawning two of them.', 'x'.repeat(281), '[FROM:TIDY] hi'].map(say)
  assert.deepEqual(errors(checkBuildLog(lines(start, running, ...messages))), ['3 T13', '4 T13', '5 T13'])
  const echo = timed([0, start], [0, running], [1, starts('build_record')], [2_001, say('Starting your build')])
  assert.deepEqual(errors(checkBuildLog(echo)), ['4 T13'])
})

test('a saved event stream and lines sent again are read too', () => {
  const stream = [start, ...wholeBuild].flatMap((event, index) => [
    `id: ${index + 1}`,
    `event: ${event.type}`,
    `data: ${JSON.stringify({ ...event, seq: index + 1 })}`,
    '',
  ])
  assert.deepEqual(checkBuildLog([': hello', ...stream]), [])
  assert.deepEqual(checkBuildLog([...stream, ...stream]), [])
})

test('session.started of another backend may have any payload', () => {
  assert.deepEqual(checkBuildLog(lines({ type: 'session.started', payload: {} }, ...wholeBuild)), [])
})
