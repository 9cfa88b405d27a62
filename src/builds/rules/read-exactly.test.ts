import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswers, answerWords, idOfQuestion, listQuestions } from './answers.ts'
import { buildLimits } from './build-limits.ts'
import { jsonValues } from './json-values.ts'
import { readLogLine } from './log-line.ts'
import { listEvents } from './moves.ts'
import { isUsableId, readBuildEvent } from './read-build-event.ts'
import type { OpenQuestion } from './rules.ts'
import { stepOf } from './steps.ts'

const source = 'agent' as const
const read = (type: string, payload: object): unknown => {
  const item = readBuildEvent({ type, payload: { source, ...payload } })
  return 'event' in item ? item.event.payload : item.fault.rule
}
const yesNo = [
  { id: 'y', label: 'Yes' },
  { id: 'n', label: 'No', description: 'Not at all' },
]

test('events: what is no event, of no known type or without a payload of the agent is a fault of rule T8', () => {
  const rule = (given: unknown) => {
    const item = readBuildEvent(given)
    return 'fault' in item ? item.fault.rule : item.event.type
  }
  const faults = [null, [], 'x', {}, { type: 1 }, { type: 'phase.changed', payload: { source } }, { type: 'other', payload: { source } }]
  for (const given of [...faults, { type: 'session.completed' }, { type: 'session.completed', payload: { source: 'backend' } }])
    assert.equal(rule(given), 'T8', JSON.stringify(given))
  assert.equal(rule({ type: 'session.completed', payload: { source } }), 'session.completed')
})

test('events: fields that the protocol does not name are left out, and texts are trimmed', () => {
  assert.deepEqual(read('assistant.message.created', { text: ' Hello ', kind: 'reassurance', more: 1 }), { text: 'Hello', source })
  assert.deepEqual(read('session.completed', { more: 1 }), { source })
  assert.deepEqual(read('session.failed', {}), { source })
  assert.deepEqual(read('session.failed', { reason: 'no disk' }), { reason: 'no disk', source })
  assert.deepEqual(read('progress.step.completed', { step_id: 'parse', index: 1 }), { step_id: 'parse', source })
})

test('events: texts have exact limits and may not be empty', () => {
  const texts: [string, object, string, number, string][] = [
    ['assistant.message.created', {}, 'text', buildLimits.rawMessageChars, 'T8'],
    ['session.failed', {}, 'reason', buildLimits.reasonChars, 'T8'],
    ['progress.step.started', { step_id: 'parse', description: 'd' }, 'title', buildLimits.labelChars, 'T4'],
    ['progress.step.started', { step_id: 'parse', title: 't' }, 'description', buildLimits.labelChars, 'T4'],
    ['question.requested', { question_id: 'q', input: 'text', required: true }, 'prompt', buildLimits.questionChars, 'T9'],
  ]
  for (const [type, payload, field, most, rule] of texts) {
    const length = (count: number) => read(type, { ...payload, [field]: 'x'.repeat(count) })
    assert.equal(typeof length(most), 'object', `${type} ${field}`)
    assert.deepEqual([length(most + 1), length(0), read(type, { ...payload, [field]: 7 })], [rule, rule, rule], `${type} ${field}`)
  }
})

test('events: a step has a known id; its place is a number or zero', () => {
  const step = (more: object) => read('progress.step.started', { step_id: 'parse', title: 't', description: 'd', ...more })
  assert.deepEqual(step({ index: 2, total: 5 }), { step_id: 'parse', title: 't', description: 'd', index: 2, total: 5, source })
  assert.deepEqual(step({ index: '2' }), { step_id: 'parse', title: 't', description: 'd', index: 0, total: 0, source })
  assert.deepEqual([step({ step_id: 'other' }), read('progress.step.completed', { step_id: 'other' })], ['T4', 'T4'])
})

test('events: only a finished status has an output, with an exact limit, byte for byte', () => {
  const status = (status_: string, output?: unknown) =>
    read('status.changed', { status: status_, ...(output === undefined ? {} : { output }) })
  for (const one of ['running', 'complete', 'failed']) assert.deepEqual(status(one), { status: one, source })
  assert.equal(status('paused'), 'T8')
  assert.equal(status('running', 'x'), 'T8')
  assert.equal(status('complete', 7), 'T8')
  assert.deepEqual(status('complete', ' x \n'), { status: 'complete', output: ' x \n', source })
  assert.deepEqual(status('failed', ''), { status: 'failed', output: '', source })
  assert.equal(typeof status('complete', 'x'.repeat(buildLimits.outputChars)), 'object')
  assert.equal(status('complete', 'x'.repeat(buildLimits.outputChars + 1)), 'T8')
})

test('events: a start is of the backend, with both ids', () => {
  const start = (more: object) => read('session.started', { source: 'backend', build_id: 'b', session_id: 's', ...more })
  assert.deepEqual(start({}), { build_id: 'b', session_id: 's', source: 'backend' })
  assert.deepEqual(start({ round: 2 }), { build_id: 'b', session_id: 's', round: 2, source: 'backend' })
  assert.deepEqual([start({ source: 'agent' }), start({ build_id: 1 }), start({ session_id: undefined })], ['T1', 'T1', 'T1'])
})

test('events: a question is required and its options are read one by one', () => {
  const ask = (more: object) =>
    read('question.requested', { question_id: 'q', prompt: 'Which?', input: 'single_choice', required: true, options: yesNo, ...more })
  assert.deepEqual(ask({}), { question_id: 'q', prompt: 'Which?', input: 'single_choice', required: true, options: yesNo, source })
  assert.deepEqual(
    [ask({ required: false }), ask({ required: undefined }), ask({ input: undefined }), ask({ options: 'x' })],
    ['T9', 'T9', 'T9', 'T9'],
  )
  const broken = [
    null,
    { id: 'a' },
    { label: 'A' },
    { id: 'a b', label: 'A' },
    { id: 'a', label: '' },
    { id: 'a', label: 'A', description: '' },
  ]
  for (const option of broken) assert.equal(ask({ options: [yesNo[0], option] }), 'T9', JSON.stringify(option))
  assert.equal(ask({ options: [yesNo[0], yesNo[0]] }), 'T9')
})

test('events: a set of questions has ids of its own, and each question counts', () => {
  const one = (id: string, more: object = {}) => ({ question_id: id, prompt: 'Name?', input: 'text', ...more })
  const set = (questions: unknown, more: object = {}) =>
    read('questions.requested', { question_set_id: 's', prompt: 'Two', required_all: true, questions, ...more })
  assert.deepEqual(set([one('a'), one('b', { input: 'single_choice', options: yesNo })]), {
    question_set_id: 's',
    prompt: 'Two',
    required_all: true,
    questions: [one('a'), one('b', { input: 'single_choice', options: yesNo })],
    source,
  })
  const both = [one('a'), one('b')]
  assert.deepEqual(
    [set(both, { required_all: false }), set(both, { question_set_id: 'a,b' }), set(both, { prompt: '' })],
    ['T9', 'T9', 'T9'],
  )
  assert.deepEqual(
    [set([one('a'), one('a')]), set([one('a'), null]), set([one('a'), one('b', { prompt: '' })]), set({})],
    ['T9', 'T9', 'T9', 'T9'],
  )
})

test('ids: from one character to the limit, without what ends a header', () => {
  assert.deepEqual(['a', 'x'.repeat(buildLimits.idChars)].map(isUsableId), [true, true])
  const broken = ['', 'x'.repeat(buildLimits.idChars + 1), 'a b', 'a,b', 'a[', 'a]', '__proto__', 'a\u0000']
  assert.deepEqual(
    broken.filter((id) => isUsableId(id)),
    [],
  )
})

test('log lines: stored, sent and saved events are read alike, other lines are blank or a fault', () => {
  const event = { type: 'session.completed', payload: { source } }
  const kinds = (line: string) => readLogLine(line).kind
  assert.deepEqual(readLogLine(JSON.stringify({ ...event, seq: 3, at: 9 })), { kind: 'event', event, seq: 3, at: 9 })
  assert.deepEqual(readLogLine(`data: ${JSON.stringify({ type: event.type, data: event.payload })}`), {
    kind: 'event',
    event,
    seq: null,
    at: null,
  })
  assert.deepEqual(
    ['', '  ', ': ping', 'id: 7', 'event: x', 'retry: 9'].map(kinds),
    Array.from({ length: 6 }, () => 'blank'),
  )
  assert.deepEqual(
    ['nonsense', '[1]', 'null', '7', '{"type":"other"}'].map(kinds),
    Array.from({ length: 5 }, () => 'fault'),
  )
  assert.deepEqual(readLogLine('{"message":"Hello"}'), { kind: 'message', message: 'Hello', seq: null, at: null })
  assert.equal(kinds('{"message":"Hello","type":"other"}'), 'fault')
})

test('log lines: times are numbers or dates', () => {
  const at = (value: unknown) => readLogLine(JSON.stringify({ message: 'x', at: value })).at
  assert.deepEqual([at(5), at('1970-01-01T00:00:01Z'), at('soon'), at(null), at({})], [5, 1_000, null, null, null])
})

test('log lines: a reassurance keeps its mark, and a start without ids is accepted', () => {
  const marked = readLogLine(
    JSON.stringify({ type: 'assistant.message.created', payload: { text: 'Still here', kind: 'reassurance', source } }),
  )
  assert.deepEqual(marked.kind === 'event' && marked.event.payload, { text: 'Still here', kind: 'reassurance', source })
  const plain = readLogLine(JSON.stringify({ type: 'assistant.message.created', payload: { text: 'Hello', kind: 'other', source } }))
  assert.deepEqual(plain.kind === 'event' && plain.event.payload, { text: 'Hello', source })
  assert.equal(readLogLine('{"type":"session.started"}').kind, 'event')
})

test('log lines: events of the backend are read as far as a check needs them', () => {
  const line = (type: string, data: unknown) => {
    const { seq: _seq, at: _at, ...rest } = readLogLine(JSON.stringify({ type, data }))
    return rest
  }
  assert.deepEqual(line('build.opened', { prompt: 'Make it' }), { kind: 'opened', prompt: 'Make it' })
  assert.deepEqual(line('build.opened', { prompt: 1 }), { kind: 'blank' })
  assert.deepEqual(line('build.answered', { question: 'q', answers: { a: 1 } }), { kind: 'answers', question: 'q', answers: { a: '1' } })
  assert.deepEqual(line('build.answered', { answers: {} }), { kind: 'answers', question: null, answers: {} })
  assert.deepEqual(
    [line('build.answered', { answers: null }), line('build.answered', { answers: 'x' }), line('build.answered', null)],
    [{ kind: 'blank' }, { kind: 'blank' }, { kind: 'blank' }],
  )
  assert.deepEqual(line('build.turn.ended', { answers: {} }), { kind: 'blank' })
  assert.deepEqual(line('build.faulted', { rule: 'T4', words: 'No' }), { kind: 'fault', fault: { rule: 'T4', words: 'No' } })
  assert.deepEqual(line('build.faulted', { rule: 'T4' }), { kind: 'fault', fault: { rule: 'T4', words: '' } })
  assert.deepEqual(line('build.faulted', { rule: 'other' }), { kind: 'blank' })
})

test('json values: several on one line are divided, and the rest is what is none', () => {
  assert.deepEqual(jsonValues('{"a":1} , [2];{"b":"}\\"{"} tail {'), { values: [{ a: 1 }, [2], { b: '}"{' }], rest: 'tail {' })
  assert.deepEqual(jsonValues('{"a":{"b":[1]}}{'), { values: [{ a: { b: [1] } }], rest: '{' })
  assert.deepEqual(jsonValues('{a}'), { values: [], rest: '{a}' })
  assert.deepEqual(jsonValues('x {}'), { values: [], rest: 'x {}' })
  assert.deepEqual(jsonValues('{"a":"\\\\"}b'), { values: [{ a: '\\' }], rest: 'b' })
})

const one: OpenQuestion = {
  kind: 'one',
  ask: {
    question_id: 'q',
    prompt: 'Which?',
    input: 'single_choice',
    required: true,
    options: [...yesNo, { id: 'Yes', label: 'Other' }],
    source,
  },
}
const set: OpenQuestion = {
  kind: 'set',
  ask: {
    question_set_id: 's',
    prompt: 'Two',
    required_all: true,
    source,
    questions: [
      { question_id: 'a', prompt: 'A?', input: 'text' },
      { question_id: 'b', prompt: 'B?', input: 'text' },
    ],
  },
}

test('answers: an id wins over a label, a label counts where it is the only one, and limits are exact', () => {
  const check = (open: OpenQuestion, given: Record<string, string>) => {
    const checked = checkAnswers(open, given)
    return 'answers' in checked ? checked.answers : checked.refused.code
  }
  assert.deepEqual([check(one, { q: 'y' }), check(one, { q: 'Yes' }), check(one, { q: ' NO ' })], [{ q: 'y' }, { q: 'Yes' }, { q: 'n' }])
  assert.deepEqual(
    [check(one, { q: 'maybe' }), check(one, {}), check(one, { q: ' ' }), check(one, { q: 'y', x: '1' })],
    ['not_a_choice', 'answer_missing', 'answer_missing', 'answer_unknown'],
  )
  assert.deepEqual(check(set, { a: 'x'.repeat(buildLimits.answerChars), b: ' y ' }), { a: 'x'.repeat(buildLimits.answerChars), b: 'y' })
  assert.deepEqual(
    [check(set, { a: 'x'.repeat(buildLimits.answerChars + 1), b: 'y' }), check(set, { a: 'x' })],
    ['text_too_long', 'answer_missing'],
  )
  const twice = {
    kind: 'one',
    ask: {
      ...one.ask,
      options: [
        { id: '1', label: 'Same' },
        { id: '2', label: 'same' },
      ],
    },
  } as OpenQuestion
  assert.equal(check(twice, { q: 'same' }), 'not_a_choice')
})

test('answers: they are told in the words of the question', () => {
  assert.deepEqual(answerWords(one, { q: 'y' }), [{ question: 'Which?', answer: 'Yes' }])
  assert.deepEqual(answerWords(set, { a: 'x' }), [
    { question: 'A?', answer: 'x' },
    { question: 'B?', answer: '' },
  ])
  assert.deepEqual([idOfQuestion(one), idOfQuestion(set), listQuestions(one).length, listQuestions(set).length], ['q', 's', 1, 2])
})

test('moves: what goes without saying is said for the agent', () => {
  const types = (move: Parameters<typeof listEvents>[0], status: 'none' | 'running', open: 'parse' | null) =>
    listEvents(move, { status, open }, 'en').map(({ type, payload }) => ('status' in payload ? `${type} ${payload.status}` : type))
  const say = { do: 'say', text: 'Hello' } as const
  assert.deepEqual(types(say, 'none', null), ['status.changed running', 'assistant.message.created'])
  assert.deepEqual(types(say, 'running', null), ['assistant.message.created'])
  assert.deepEqual(types({ do: 'start_step', step: 'parse' }, 'running', null), ['progress.step.started'])
  assert.deepEqual(types({ do: 'start_step', step: 'parse' }, 'running', 'parse'), ['progress.step.completed', 'progress.step.started'])
  const ends = ['assistant.message.created', 'status.changed complete', 'session.completed']
  assert.deepEqual(types({ do: 'finish', summary: 'Done' }, 'running', 'parse'), ['progress.step.completed', ...ends])
  assert.deepEqual(types({ do: 'fail', summary: 'No' }, 'running', 'parse'), [
    'assistant.message.created',
    'status.changed failed',
    'session.failed',
  ])
})

test('moves: outputs, reasons and options are there only where they were given', () => {
  const payloads = (move: Parameters<typeof listEvents>[0]) =>
    listEvents(move, { status: 'running', open: null }, 'en').map(({ payload }) => payload)
  assert.deepEqual(payloads({ do: 'finish', summary: 'Done', output: 'x' })[1], { status: 'complete', output: 'x', source })
  assert.deepEqual(payloads({ do: 'finish', summary: 'Done' })[1], { status: 'complete', source })
  assert.deepEqual(payloads({ do: 'fail', summary: 'No', reason: 'disk' })[2], { reason: 'disk', source })
  assert.deepEqual(payloads({ do: 'fail', summary: 'No' })[2], { source })
  assert.deepEqual(payloads({ do: 'ask', id: 'q', prompt: 'Which?' }), [
    { question_id: 'q', prompt: 'Which?', input: 'text', required: true, options: [], source },
  ])
  assert.deepEqual(payloads({ do: 'ask', id: 'q', prompt: 'Which?', options: [] })[0], {
    question_id: 'q',
    prompt: 'Which?',
    input: 'text',
    required: true,
    options: [],
    source,
  })
  assert.deepEqual(
    payloads({
      do: 'ask_many',
      id: 's',
      prompt: 'Two',
      questions: [
        { id: 'a', prompt: 'A?', options: yesNo },
        { id: 'b', prompt: 'B?' },
      ],
    }),
    [
      {
        question_set_id: 's',
        prompt: 'Two',
        required_all: true,
        questions: [
          { question_id: 'a', prompt: 'A?', input: 'single_choice', options: yesNo },
          { question_id: 'b', prompt: 'B?', input: 'text' },
        ],
        source,
      },
    ],
  )
  const { id, title, description, index, total } = stepOf('parse', 'en')
  assert.deepEqual(payloads({ do: 'start_step', step: 'parse' }), [{ step_id: id, title, description, index, total, source }])
})
