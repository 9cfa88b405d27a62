import fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LineItem } from './agent-lines.ts'
import type { BuildEvent } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { plainMessage, plainMessageLimits } from './plain-message.ts'
import { plainOutput, plainOutputLimits } from './plain-output.ts'
import { advance, getFault, initialProgress, type Progress } from './rules.ts'
import { stepIds } from './steps.ts'

const started: Progress = advance(initialProgress, {
  type: 'session.started',
  payload: { build_id: 'b', session_id: 's', source: 'backend' },
})

const eventsIn = (items: readonly LineItem[]): BuildEvent[] => items.flatMap((item) => ('event' in item ? [item.event] : []))

/** One whole reply, in pieces. Asserts that each event is valid where it comes. */
function read(
  reply: string,
  { isClean = true, progress = started, pieces = [reply] }: { isClean?: boolean; progress?: Progress; pieces?: string[] } = {},
) {
  const reader = plainOutput(progress, 'en')
  const items = [...reader.begin(), ...pieces.flatMap((piece) => reader.push(piece)), ...reader.end(isClean)]
  let now = progress
  for (const event of eventsIn(items)) {
    assert.equal(getFault(now, event), null, JSON.stringify(event))
    now = advance(now, event)
  }
  return { items, events: eventsIn(items), progress: now }
}

const last = (events: readonly BuildEvent[], type: BuildEvent['type']) => events.findLast((event) => event.type === type)
const getPayload = (event: BuildEvent | undefined): Record<string, unknown> => ({ ...event?.payload })
const getOutput = (events: readonly BuildEvent[]): unknown => getPayload(last(events, 'status.changed'))['output']

test('plainOutput: a reply without marks is the result, and all seven steps are filled in', () => {
  const { events, progress } = read('# List\n\n- one\n- two\n')
  assert.deepEqual([progress.isOver, progress.done], [true, [...stepIds]])
  assert.equal(getOutput(events), '# List\n\n- one\n- two')
})

test('plainOutput: only the text below RESULT: is the result, byte for byte, marks in it included', () => {
  const { events, items } = read('Let me think about it.\n\n**RESULT:**\n\n# A\nASK: not a question\n\tSTEP: design\n\n')
  assert.equal(getOutput(events), '# A\nASK: not a question\n\tSTEP: design')
  assert.ok(
    items.some((item) => 'note' in item && item.note.includes('Let me think')),
    'what came before is for the operator',
  )
})

test('plainOutput: ASK: with lines below it is a choice, without them a text question, several are a set', () => {
  const choice = read('ASK: Which region?\n- Europe\n- US\n').events.at(-1)
  assert.equal(choice?.type, 'question.requested')
  assert.deepEqual(getPayload(choice)['options'], [
    { id: 'o1', label: 'Europe' },
    { id: 'o2', label: 'US' },
  ])
  const text = read('ASK: Who is it for?').events.at(-1)
  assert.equal(getPayload(text)['input'], 'text')
  const many = read('ASK: Who?\nASK：哪个地区？\n1. 欧洲\n2. 美国\n').events.at(-1)
  assert.equal(many?.type, 'questions.requested')
  const ids = (reply: string) => getPayload(read(reply).events.at(-1))['question_id']
  assert.equal(ids('ASK: Who?'), ids('I wonder.\nASK: Who?\n'), 'the same words have the same id')
  assert.notEqual(ids('ASK: Who?'), ids('ASK: What?'))
})

test('plainOutput: steps are never taken back, and messages come at once', () => {
  const reader = plainOutput(started, 'en')
  reader.begin()
  const steps = eventsIn(reader.push('STEP: assemble\nSTEP: research\nSTEP: nonsense\n')).filter(
    ({ type }) => type === 'progress.step.started',
  )
  assert.deepEqual(
    steps.map(({ payload }) => (payload as { step_id: string }).step_id),
    ['design', 'assemble'],
  )
  assert.equal(eventsIn(reader.push('SAY: I found three books.\n')).at(-1)?.type, 'assistant.message.created')
})

test('plainOutput: FAIL: ends the build in its own words; nothing of a program that failed is a result', () => {
  const failed = read('FAIL: There are no seats left.\n')
  assert.equal(failed.progress.isOver, true)
  assert.deepEqual(last(failed.events, 'assistant.message.created')?.payload, { text: 'There are no seats left.', source: 'agent' })
  const died = read('RESULT:\nhalf of it', { isClean: false })
  assert.equal(died.progress.isOver, false)
  assert.equal(read('').progress.isOver, false, 'an empty reply is no result')
})

test('plainOutput: a result above the limit is cut and the operator is told; memory is bounded', () => {
  const { events, items } = read('x'.repeat(300_000))
  assert.equal((getOutput(events) as string).length, buildLimits.outputChars)
  assert.ok(items.some((item) => 'note' in item && item.note.includes('left out')))
  const notes = read('SAY: \n'.repeat(100) + 'STEP: none\n'.repeat(1_000)).items.filter((item) => 'note' in item)
  assert.equal(notes.length, plainOutputLimits.notes)
})

test('plainOutput: whatever is written, in whatever pieces, every event is valid', () => {
  const part = fc.constantFrom(
    'STEP: design',
    'STEP: finalize',
    'SAY: Hello.',
    'ASK: Which?',
    '- one',
    '- two',
    'RESULT:',
    'FAIL: No.',
    '',
    'text',
    '🙂',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(part, fc.string()), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (lines, size, isClean) => {
        const reply = lines.join('\n')
        const pieces = reply.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        assert.deepEqual(read(reply, { pieces, isClean }).events, read(reply, { isClean }).events)
      },
    ),
    { numRuns: 500 },
  )
})

test('plainMessage: request, answers and messages in words, and a bound on what came before', () => {
  const history = [
    { kind: 'answer', question: 'Which region?', answer: 'Europe' },
    { kind: 'message', text: 'In blue' },
    { kind: 'result', text: '# Old' },
  ] as const
  const message = plainMessage({ prompt: 'A list', language: 'zh', history, hint: null })
  for (const words of [
    'Request:\nA list',
    'Which region?\nThe person answered: Europe',
    'The person adds:\nIn blue',
    '# Old',
    'Simplified Chinese',
  ])
    assert.ok(message.includes(words), words)
  const long = Array.from({ length: 100 }, (_, at) => ({ kind: 'message' as const, text: `${at} ${'x'.repeat(5_000)}` }))
  const bounded = plainMessage({ prompt: 'A list', language: 'en', history: long, hint: null })
  assert.ok(bounded.length < plainMessageLimits.historyChars + 5_000)
  assert.ok(bounded.includes('99 x') && !bounded.includes('\n0 x'))
})
