import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { check, type Evidence, type RawEvent } from './checker.ts'

let position = 0
const log = (stream: string, ...events: [type: string, data?: Record<string, unknown>][]): RawEvent[] =>
  events.map(([type, data = {}], index) => ({ position: (position += 1), stream, seq: index + 1, type, data }))

const packed = (events: readonly RawEvent[]): Uint8Array =>
  gzipSync([{ events: events.length }, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''))

/** A short campaign without a fault. */
function goodRun(): { events: RawEvent[]; evidence: Evidence } {
  position = 0
  const events = [
    ...log(
      'dlg_1',
      ['dialog.opened'],
      ['message.said', { text: 'mark w1', turn: null }],
      ['turn.started', { turn: 1 }],
      ['tool.called', { call: 'c1', name: 'mark', input: { about: 'w1' } }],
      ['turn.cut', { turn: 1 }],
      ['tool.returned', { call: 'c1' }],
      ['question.asked', { question: 'q1' }],
      ['question.answered', { question: 'q1', answers: { word: 'w2' } }],
      ['turn.finished', { turn: 1, seen: 8 }],
    ),
    ...log(
      'build-1',
      ['build.opened', { prompt: 'Build w3' }],
      ['build.turn.started', { turn: 1 }],
      ['build.turn.ended', { turn: 1 }],
      ['session.completed'],
    ),
    ...log('delivery:1', ['delivery.planned', { message: { text: 'note w4' } }], ['delivery.intended'], ['delivery.sent']),
    ...log('tokens', ['token.created']),
  ]
  const retired = log(
    'dlg_2',
    ['dialog.opened'],
    ['message.said', { text: 'echo w5', turn: null }],
    ['turn.started', { turn: 1 }],
    ['turn.finished', { turn: 1, seen: 2 }],
  )
  events.push({ position: (position += 1), stream: 'dlg_2', seq: 5, type: 'dialog.retired', data: { file: 'dlg_2-abc', events: 4 } })
  const evidence: Evidence = {
    acknowledged: [
      { kind: 'said', stream: 'dlg_1', word: 'w1' },
      { kind: 'answered', stream: 'dlg_1', word: 'w2' },
      { kind: 'built', stream: 'build-1', word: 'w3' },
      { kind: 'sent', stream: 'delivery:1', word: 'w4' },
      { kind: 'said', stream: 'dlg_2', word: 'w5' },
    ],
    written: ['w1'],
    shown: ['note w4'],
    effects: [
      { key: 'c1', word: 'w1' },
      { key: 'c1', word: 'w1' },
    ],
    readings: [
      { reader: 'one', stream: 'dlg_1', from: 0, places: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
      { reader: 'two', stream: 'dlg_2', from: 0, places: [1, 2, 3, 4] },
      { reader: 'all', stream: null, from: 0, places: [...Array.from({ length: 16 }, (_, index) => index + 1), 18, 19, 20, 21, 22] },
    ],
    archive: [{ file: 'dlg_2-abc', bytes: packed(retired) }],
    isPrivate: (stream) => stream === 'tokens',
  }
  return { events, evidence }
}

test('check: a campaign without a fault has no violation and is counted', () => {
  const { events, evidence } = goodRun()
  const verdict = check(events, evidence)
  assert.deepEqual(verdict.violations, [])
  assert.deepEqual(verdict.counts, {
    events: 22,
    dialogs: 2,
    sideDialogs: 0,
    retiredDialogs: 1,
    builds: 1,
    deliveries: 1,
    turns: 3,
    cutTurns: 1,
  })
  assert.equal(verdict.repeatedEffects, 1)
})

type Run = ReturnType<typeof goodRun>
const without =
  (...types: string[]) =>
  ({ events, evidence }: Run): Run => ({ events: events.filter(({ type }) => !types.includes(type)), evidence })
const renumbered = (events: readonly RawEvent[]): RawEvent[] => {
  const heads = new Map<string, number>()
  return events.map((event) => {
    if (event.type === 'dialog.retired') return event
    const seq = (heads.get(event.stream) ?? 0) + 1
    heads.set(event.stream, seq)
    return { ...event, seq }
  })
}
const edited =
  (type: string, change: (event: RawEvent) => RawEvent[]) =>
  ({ events, evidence }: Run): Run => ({
    events: renumbered(events.flatMap((event) => (event.type === type ? change(event) : [event]))),
    evidence: { ...evidence, readings: [] },
  })
const changed =
  (change: Partial<Evidence>) =>
  ({ events, evidence }: Run): Run => ({ events, evidence: { ...evidence, ...change } })
const inArchive = (bytes: Uint8Array): ((run: Run) => Run) => changed({ archive: [{ file: 'dlg_2-abc', bytes }] })
const reading = (places: number[]): Partial<Evidence> => ({ readings: [{ reader: 'one', stream: 'dlg_1', from: 0, places }] })

/** One planted fault for each thing that the campaign promises, and the rule that must name it. */
const planted: Record<string, [rule: string, plant: (run: Run) => Run]> = {
  'an event is missing in the middle': ['numbers', without('tool.called')],
  'an acknowledged message is missing': ['lost', edited('message.said', () => [])],
  'an acknowledged message is stored twice': ['twice', edited('message.said', (event) => [event, event])],
  'an acknowledged answer is missing': ['lost', edited('question.answered', () => [])],
  'a turn starts while another is open': ['overlap', edited('turn.started', (event) => [event, { ...event, data: { turn: 2 } }])],
  'a turn is started twice': ['overlap', edited('turn.started', (event) => [event, event])],
  'a build starts a turn while another is open': [
    'overlap',
    edited('build.turn.started', (event) => [event, { ...event, data: { turn: 2, resumes: false } }]),
  ],
  'a turn never ends': ['stuck', edited('turn.finished', () => [])],
  'a question stays open': ['stuck', edited('question.answered', () => [])],
  'a call has no result': ['stuck', edited('tool.returned', () => [])],
  'a call has two results': ['twice', edited('tool.returned', (event) => [event, event])],
  'a build does not end': ['stuck', edited('session.completed', () => [])],
  'a delivery is shown twice': ['twice', changed({ shown: ['note w4', 'note w4'] })],
  'a delivery was sent and is not shown': ['lost', changed({ shown: [] })],
  'a delivery is neither sent nor reported': ['stuck', edited('delivery.sent', () => [])],
  'a message of the chat app is missing': ['lost', changed({ written: ['w9'] })],
  'an effect has two keys': [
    'twice',
    changed({
      effects: [
        { key: 'c1', word: 'w1' },
        { key: 'c2', word: 'w1' },
      ],
    }),
  ],
  'an effect never happened': ['lost', changed({ effects: [] })],
  'a retired dialog has no file': ['lost', changed({ archive: [] })],
  'a retired dialog is not in its file': ['lost', inArchive(packed([]))],
  'the file of a retired dialog has an event of another number': [
    'numbers',
    inArchive(packed(log('dlg_2', ...Array.from({ length: 4 }, (): [string] => ['x'])).map((event) => ({ ...event, seq: 9 })))),
  ],
  'half of a file is in the archive': ['archive', inArchive(packed([]).subarray(0, 12))],
  'a reader missed an event': ['reader', changed(reading([1, 2, 3, 5, 6, 7, 8, 9]))],
  'a reader saw an event twice': ['reader', changed(reading([1, 2, 3, 4, 4, 5, 6, 7, 8, 9]))],
  'a reader saw events out of order': ['reader', changed(reading([1, 2, 4, 3, 5, 6, 7, 8, 9]))],
  'a reader saw nothing': ['reader', changed(reading([]))],
}

for (const [fault, [rule, plant]] of Object.entries(planted)) {
  test(`check: planted: ${fault} is a violation of "${rule}"`, () => {
    const { events, evidence } = plant(goodRun())
    const { violations } = check(events, evidence)
    assert.ok(
      violations.some((violation) => violation.startsWith(`${rule}:`)),
      JSON.stringify(violations),
    )
  })
}

test('check: a delivery of unknown outcome may be shown or not, and is counted as reported', () => {
  for (const shown of [[], ['note w4']]) {
    const { events, evidence } = edited('delivery.sent', (event) => [{ ...event, type: 'delivery.unknown' }])(goodRun())
    const verdict = check(events, { ...evidence, shown })
    assert.deepEqual(verdict.violations, [])
    assert.equal(verdict.reportedDeliveries, 1)
  }
})
