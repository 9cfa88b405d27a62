import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildEvent } from './build-events.ts'
import { stepOf } from './steps.ts'
import { building, running, say, starts, steps, type Story } from './test/agent-script.ts'
import { whereItStands } from './turn-message.ts'

const notes = ({ last }: Story) =>
  last.flatMap((event) => (event.type === 'build.words.guarded' ? event.data.findings.map(({ why }) => why) : []))
const output = ({ log }: Story) => log.flatMap((event) => (event.type === 'status.changed' ? [event.data.output] : [])).at(-1)
const status = (to: 'complete' | 'failed', text: string): BuildEvent => ({
  type: 'status.changed',
  payload: { status: to, output: text, source: 'agent' },
})

test('status.changed: the result of a complete build stays byte for byte, of a failed one machine text is replaced', () => {
  const text = '  The list is in /srv/mia/list.md  '
  const whole = building().sends(running, ...steps(), say('Your agent is ready.'), status('complete', text))
  assert.deepEqual([output(whole), notes(whole)], [text, []])
  const broken = building().sends(running, status('failed', text))
  assert.deepEqual([output(broken), notes(broken)], ['The list is in •••', ['shape']])
  const secret = building().sends(running, ...steps(), say('Your agent is ready.'), status('complete', 'Bearer abcdefghijkl'))
  assert.deepEqual([output(secret), notes(secret)], ['•••', ['shape']])
})

test('progress.step.started: other words or another place are noted, and the words of the dictionary are shown', () => {
  const { title, description, index, total } = stepOf('build_record', 'en')
  const begin = (more: object) => {
    const event = starts('build_record')
    return building().sends(running, { ...event, payload: { ...event.payload, ...more } } as BuildEvent)
  }
  assert.deepEqual(notes(begin({})), [])
  assert.deepEqual(notes(begin({ index: index + 1 })), ['step-wording'], 'only its index is wrong')
  assert.deepEqual(notes(begin({ total: total + 1 })), ['step-wording'], 'only the total is wrong')
  assert.deepEqual(notes(begin({ index: index + 1, total: total + 1 })), ['step-wording'])
  assert.deepEqual(notes(begin({ title: 'Doing things', index: index + 1 })), ['step-wording', 'step-wording'])
  const [shown] = begin({ title: 'Doing things', index: 9, total: 9 }).last.filter(({ type }) => type === 'progress.step.started')
  assert.deepEqual(shown?.data, { step_id: 'build_record', title, description, index, total, source: 'agent' })
})

test('whereItStands: an agent is told what is done, what is open or next, and the status', () => {
  const after = (...events: BuildEvent[]) => whereItStands(building().sends(...events).state)
  assert.equal(after(), 'Nothing of the build is done yet.')
  assert.equal(after(running), 'No step is done; next: build_record; status: running.')
  assert.equal(after(running, starts('build_record')), 'No step is done; open: build_record; status: running.')
  assert.equal(after(running, ...steps(2)), 'Done: build_record, parse; next: research; status: running.')
  assert.match(after(running, ...steps()), /^Done: build_record, parse, .*; every step is done; status: running\.$/)
})
