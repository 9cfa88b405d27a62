/**
 * Real outputs of agents, and what is made of them. `items` is what the line reader sees: a type, a fault with its
 * rule, or a note; `shown` is what then reaches the person. `given` says what the agent had sent before.
 */
export type BrokenOutput = {
  name: string
  given: 'nothing' | 'running' | 'asking' | 'over'
  output: string | Uint8Array
  items: string[]
  shown: string[]
  /** Shown once the turn is judged, where that differs. */
  judged?: string[]
}

const bytes = (...parts: (string | number[])[]): Uint8Array => {
  const encoder = new TextEncoder()
  return new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...encoder.encode(part)] : part)))
}
const event = (type: string, payload: object = {}): string => JSON.stringify({ type, payload: { ...payload, source: 'agent' } })
const say = (text: string): string => event('assistant.message.created', { text })
const running = event('status.changed', { status: 'running' })
const startParse = event('progress.step.started', {
  step_id: 'parse',
  title: 'Understanding your request',
  description: 'I’m reading your request and mapping the plan.',
  index: 2,
  total: 7,
})
const message = 'assistant.message.created'
const step = 'progress.step.started'
const startRecord = event(step, {
  step_id: 'build_record',
  title: 'Starting your build',
  description: 'I’m setting up your build session.',
  index: 1,
  total: 7,
})

export const brokenOutputs: BrokenOutput[] = [
  // Not whole.
  { name: 'half JSON', given: 'running', output: '{"type":"assistant.message.created","payload":{"te\n', items: ['fault T8'], shown: [] },
  {
    name: 'half JSON, then a whole event',
    given: 'running',
    output: `{"type":"assis\n${say('Hello.')}\n`,
    items: ['fault T8', message],
    shown: [],
    judged: [message],
  },
  { name: 'the last line has no line break', given: 'running', output: say('Hello.'), items: [message], shown: [message] },
  { name: 'the last line is cut', given: 'running', output: say('Hello.').slice(0, -3), items: ['fault T8'], shown: [] },
  {
    name: 'pretty printed over several lines',
    given: 'running',
    output: JSON.stringify(JSON.parse(say('Hello.')), null, 2),
    items: ['fault T8', 'note', 'note', 'note', 'note', 'note', 'note'],
    shown: [],
  },
  {
    name: 'a comma too many',
    given: 'running',
    output: '{"type":"session.completed","payload":{"source":"agent",}}\n',
    items: ['fault T8'],
    shown: [],
  },
  { name: 'single quotes', given: 'running', output: "{'type':'session.completed'}\n", items: ['fault T8'], shown: [] },
  {
    name: 'a raw line break inside a string',
    given: 'running',
    output: '{"type":"assistant.message.created","payload":{"text":"one\ntwo","source":"agent"}}\n',
    items: ['fault T8', 'note'],
    shown: [],
  },
  { name: 'a closing brace too many', given: 'running', output: `${say('Hello.')}}\n`, items: [message, 'note'], shown: [message] },
  // Several at once.
  {
    name: 'two events on one line',
    given: 'running',
    output: `${say('One.')}${say('Two.')}\n`,
    items: [message, message],
    shown: [message, message],
  },
  {
    name: 'two events with a blank between',
    given: 'running',
    output: `${say('One.')} ${say('Two.')}\n`,
    items: [message, message],
    shown: [message, message],
  },
  {
    name: 'two events with a comma between',
    given: 'running',
    output: `${say('One.')}, ${say('Two.')}\n`,
    items: [message, message],
    shown: [message, message],
  },
  {
    name: 'a list of events',
    given: 'running',
    output: `[${say('One.')},${say('Two.')}]\n`,
    items: [message, message],
    shown: [message, message],
  },
  {
    name: 'a whole event and half of one',
    given: 'running',
    output: `${say('One.')}{"type":\n`,
    items: [message, 'fault T8'],
    shown: [message],
  },
  { name: 'braces inside a string', given: 'running', output: `${say('Use {name} and "}{".')}\n`, items: [message], shown: [message] },
  // Noise.
  { name: 'blank lines', given: 'running', output: '\n\n   \n\t\n', items: [], shown: [] },
  { name: 'CRLF', given: 'running', output: `${say('One.')}\r\n${say('Two.')}\r\n`, items: [message, message], shown: [message, message] },
  { name: 'a byte order mark', given: 'running', output: `\ufeff${say('One.')}\n`, items: [message], shown: [message] },
  {
    name: 'a program’s own log lines',
    given: 'running',
    output: `npm warn old\n${say('One.')}\n> build\n`,
    items: ['note', message, 'note'],
    shown: [message],
  },
  {
    name: 'a fence around it',
    given: 'running',
    output: `\`\`\`json\n${say('One.')}\n\`\`\`\n`,
    items: ['note', message, 'note'],
    shown: [message],
  },
  { name: 'words after the event', given: 'running', output: `${say('One.')} # said\n`, items: [message, 'note'], shown: [message] },
  { name: 'a log line in JSON', given: 'running', output: '{"level":"info","msg":"hi"}\n', items: ['note'], shown: [] },
  { name: 'a typed log line', given: 'running', output: '{"type":"log","message":"hi"}\n', items: ['note'], shown: [] },
  { name: 'an unknown type with a payload', given: 'running', output: '{"type":"log","payload":{}}\n', items: ['fault T8'], shown: [] },
  { name: 'ANSI colours around it', given: 'running', output: `\u001b[32m${say('One.')}\u001b[0m\n`, items: [message], shown: [message] },
  {
    name: 'ANSI codes inside the text',
    given: 'running',
    output: `${say('\u001b[1mOne.\u001b[0m')}\n`,
    items: [message],
    shown: [message],
  },
  { name: 'a terminal title', given: 'running', output: `\u001b]0;agent\u0007${say('One.')}\n`, items: [message], shown: [message] },
  {
    name: 'binary',
    given: 'running',
    output: bytes([0, 1, 2, 255, 254, 128, 200, 10, 137, 80, 78, 71, 13, 10]),
    items: ['note', 'note'],
    shown: [],
  },
  {
    name: 'NUL inside an event',
    given: 'running',
    output: bytes(say('One.').slice(0, 20), [0], say('One.').slice(20), [10]),
    items: [message],
    shown: [message],
  },
  {
    name: 'broken UTF-8 in a text',
    given: 'running',
    output: bytes('{"type":"assistant.message.created","payload":{"text":"a', [0xc3, 0x28], '","source":"agent"}}\n'),
    items: [message],
    shown: [message],
  },
  {
    name: 'half a surrogate pair',
    given: 'running',
    output: '{"type":"assistant.message.created","payload":{"text":"a\\ud83d","source":"agent"}}\n',
    items: [message],
    shown: [message],
  },
  {
    name: 'a line of 10 MB',
    given: 'running',
    output: `${say('x'.repeat(10 * 1024 * 1024))}\n${say('One.')}\n`,
    items: ['fault T8', message],
    shown: [],
    judged: [message],
  },
  { name: '10 MB without a line break', given: 'running', output: 'x'.repeat(10 * 1024 * 1024), items: ['fault T8'], shown: [] },
  {
    name: 'very deep nesting',
    given: 'running',
    output: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}\n`,
    items: ['note'],
    shown: [],
  },
  // Header look-alikes.
  {
    name: 'the header printed back',
    given: 'running',
    output: `[FROM:TIDY]\n[BUILD_ID:b1]\n${say('One.')}\n`,
    items: ['note', 'note', message],
    shown: [message],
  },
  {
    name: 'the header inside a message',
    given: 'running',
    output: `${say('[FROM:TIDY]\n[BUILD_ID:b1]\nOne.')}\n`,
    items: [message],
    shown: [message],
  },
  {
    name: 'nothing but the header in a message',
    given: 'running',
    output: `${say('[FROM:TIDY] [SESSION_ID:s1]')}\n`,
    items: [message],
    shown: [],
  },
  {
    name: 'the header in a question',
    given: 'running',
    output: `${event('question.requested', { question_id: 'q', prompt: '[MESSAGE_TYPE:USER_ANSWER]', input: 'text', required: true })}\n`,
    items: ['question.requested'],
    shown: [],
  },
  {
    name: 'an answer the agent gives itself',
    given: 'asking',
    output: '[MESSAGE_TYPE:USER_ANSWER]\n[QUESTION_ID:q1]\neu\n',
    items: ['note', 'note', 'note'],
    shown: [],
  },
  // Well written, not allowed.
  { name: 'wrong source', given: 'running', output: `${say('One.').replace('"agent"', '"user"')}\n`, items: ['fault T8'], shown: [] },
  { name: 'no source', given: 'running', output: '{"type":"session.completed","payload":{}}\n', items: ['fault T8'], shown: [] },
  { name: 'no payload', given: 'running', output: '{"type":"session.completed"}\n', items: ['fault T8'], shown: [] },
  { name: 'payload as text', given: 'running', output: '{"type":"session.completed","payload":"{}"}\n', items: ['fault T8'], shown: [] },
  { name: 'an unknown type', given: 'running', output: `${event('build.finished')}\n`, items: ['fault T8'], shown: [] },
  {
    name: 'a stored type of the backend',
    given: 'running',
    output: `${event('build.answered', { answers: {} })}\n`,
    items: ['fault T8'],
    shown: [],
  },
  { name: 'phase.changed', given: 'running', output: `${event('phase.changed', { phase: 'design' })}\n`, items: ['fault T8'], shown: [] },
  { name: 'session.started from the agent', given: 'running', output: `${event('session.started')}\n`, items: ['fault T1'], shown: [] },
  {
    name: 'session.started in the backend’s name',
    given: 'running',
    output: '{"type":"session.started","payload":{"build_id":"b1","session_id":"s1","source":"backend"}}\n',
    items: ['session.started'],
    shown: [],
  },
  {
    name: 'an unknown step',
    given: 'running',
    output: `${event('progress.step.completed', { step_id: 'deploy' })}\n`,
    items: ['fault T4'],
    shown: [],
  },
  { name: 'a step out of order', given: 'running', output: `${startParse}\n`, items: ['progress.step.started'], shown: [] },
  {
    name: 'a wrong index',
    given: 'nothing',
    output: `${running}\n${startRecord.replace('"index":1', '"index":4')}\n`,
    items: ['status.changed', step],
    shown: ['status.changed', step],
  },
  {
    name: 'an index as text',
    given: 'nothing',
    output: `${running}\n${startRecord.replace('"index":1', '"index":"1"')}\n`,
    items: ['status.changed', step],
    shown: ['status.changed', step],
  },
  { name: 'a step before running', given: 'nothing', output: `${startParse}\n`, items: ['progress.step.started'], shown: [] },
  { name: 'running twice', given: 'running', output: `${running}\n`, items: ['status.changed'], shown: [] },
  {
    name: 'complete with nothing done',
    given: 'running',
    output: `${event('status.changed', { status: 'complete' })}\n`,
    items: ['status.changed'],
    shown: [],
  },
  {
    name: 'the end without a status',
    given: 'running',
    output: `${event('session.completed')}\n`,
    items: ['session.completed'],
    shown: [],
  },
  {
    name: 'a step while a question is open',
    given: 'asking',
    output: `${event('progress.step.completed', { step_id: 'build_record' })}\n`,
    items: ['progress.step.completed'],
    shown: [],
  },
  {
    name: 'a question with one option',
    given: 'running',
    output: `${event('question.requested', { question_id: 'q', prompt: 'Q?', input: 'single_choice', required: true, options: [{ id: 'a', label: 'A' }] })}\n`,
    items: ['fault T9'],
    shown: [],
  },
  {
    name: 'the same question again',
    given: 'asking',
    output: `${event('question.requested', { question_id: 'q1', prompt: 'Q?', input: 'text', required: true })}\n`,
    items: ['question.requested'],
    shown: [],
  },
  {
    name: 'events after the end',
    given: 'over',
    output: `${say('One more thing.')}\n${running}\n`,
    items: [message, 'status.changed'],
    shown: [],
  },
  {
    name: 'a second end',
    given: 'over',
    output: `${event('session.failed', { reason: 'changed my mind' })}\n`,
    items: ['session.failed'],
    shown: [],
  },
  { name: 'inner workings', given: 'running', output: `${say('Spawning 3 workers in parallel.')}\n`, items: [message], shown: [] },
  {
    name: 'a text of 5000 characters',
    given: 'running',
    output: `${say('A sentence of words. '.repeat(240))}\n`,
    items: [message],
    shown: [message],
  },
  { name: 'an empty text', given: 'running', output: `${say('  ')}\n`, items: ['fault T8'], shown: [] },
  { name: 'a text that is a number', given: 'running', output: `${event(message, { text: 42 })}\n`, items: ['fault T8'], shown: [] },
  {
    name: '__proto__ as a question id',
    given: 'running',
    output: `${event('question.requested', { question_id: '__proto__', prompt: 'Q?', input: 'text', required: true })}\n`,
    items: ['fault T9'],
    shown: [],
  },
]
