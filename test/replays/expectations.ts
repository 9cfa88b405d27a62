import assert from 'node:assert/strict'
import type { OutputPart, PromptItem } from '../../src/dialogs/rules/prompt/prompt-items.ts'
import type { AgentOutput } from '../../src/ports/agent-runtime.ts'
import { messageItem, type Replay, type ReplayedGeneration, type ReplaySettings } from './replay.ts'

/** A line whose expectations the model runtime alone decides. */
export type RuntimeExpectation = ReplaySettings & { check(replay: Replay): void }

type Call = Extract<AgentOutput, { type: 'call' }>

const first = ({ generations }: Replay): ReplayedGeneration => generations[0] as ReplayedGeneration
const callsIn = ({ outputs }: ReplayedGeneration): Call[] => outputs.filter((output): output is Call => output.type === 'call')
const wordsIn = ({ outputs }: ReplayedGeneration): string => outputs.map((output) => (output.type === 'delta' ? output.text : '')).join('')
const allCalls = ({ generations }: Replay): Call[] => generations.flatMap(callsIn)
const inputs = (replay: Replay): unknown[] => allCalls(replay).map(({ name, input }) => [name, input])
const errorCodes = ({ generations }: Replay): (string | null)[] => generations.map(({ error }) => error?.code ?? null)
const requestCounts = ({ generations }: Replay): number[] => generations.map(({ requests }) => requests.length)
const body = (text: string | undefined): Record<string, unknown> => JSON.parse(text ?? '{}') as Record<string, unknown>
const learnedWindow = ({ learned, url }: Replay): number | null => learned.read(url, 'emulated').windowTokens

const call = (id: string, ...before: OutputPart[]): PromptItem[] => [
  messageItem('Hello.'),
  { kind: 'output', parts: [...before, { type: 'call', call: id, name: 'read_file', input: { path: 'x' } }] },
  { kind: 'result', call: id, tool: 'read_file', handle: 'o1', result: { is: 'outcome', ok: true, text: '42' } },
]

/** Overflow: told with the window, not repeated. */
const overflow = (window: number): RuntimeExpectation => ({
  check(replay) {
    assert.equal(first(replay).error?.code, 'context_overflow')
    assert.deepEqual([first(replay).error?.details['window'], learnedWindow(replay)], [window, window])
    assert.equal(first(replay).requests.length, 1)
  },
})

const declined: RuntimeExpectation = {
  check(replay) {
    assert.deepEqual([errorCodes(replay), first(replay).error?.retryable, requestCounts(replay)], [['model_declined'], false, [1]])
  },
}

export const runtimeExpectations: Record<string, RuntimeExpectation> = {
  'words-between-calls-as-thinking': {
    check(replay) {
      const sent = body(replay.generations[1]?.requests[0])['messages'] as { role: string; content: unknown }[]
      assert.deepEqual(sent.find(({ role }) => role === 'assistant')?.content, [
        { type: 'thinking', thinking: '', signature: 'sig1' },
        { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'March' } },
      ])
      assert.equal(wordsIn(first(replay)), '', 'no words are invented')
    },
  },
  'parallel-calls': {
    check(replay) {
      const ids = callsIn(first(replay)).map((each) => each.call)
      assert.equal(new Set(ids).size, 3)
      const after = replay.items.slice(first(replay).sentItems + 1)
      assert.deepEqual(
        after.slice(0, 3).map((item) => (item.kind === 'result' ? item.call : item.kind)),
        ids,
      )
    },
  },
  'parallel-calls-concatenated': {
    check(replay) {
      assert.deepEqual(inputs(replay), [
        ['read_file', { path: 'a' }],
        ['read_file', { path: 'b' }],
      ])
    },
  },
  'same-id-different-arguments': {
    check(replay) {
      assert.deepEqual(inputs(replay), [
        ['grep', { p: 'a' }],
        ['grep', { p: 'b' }],
      ])
    },
  },
  'same-id-same-arguments': { check: (replay) => assert.deepEqual(inputs(replay), [['send_mail', { to: 'mia' }]]) },
  'no-call-id': { check: (replay) => assert.equal(callsIn(first(replay)).length, 2) },
  'empty-content-stop': {
    check(replay) {
      const [one, two] = first(replay).requests
      assert.equal(one, two, 'the same bytes')
      assert.equal(requestCounts(replay)[0], 2)
      assert.deepEqual(
        [callsIn(first(replay)), wordsIn(first(replay)), first(replay).error],
        [[], '', null],
        'the rest is the driver: a nudge',
      )
    },
  },
  'empty-after-tool-result': {
    items: () => call('c_0'),
    check(replay) {
      const [one, two] = first(replay).requests
      assert.equal(one, two)
      assert.equal(wordsIn(first(replay)), 'The file says 42.')
    },
  },
  'only-reasoning-length': {
    check(replay) {
      const bounds = first(replay).requests.map((text) => body(text)['max_tokens'] ?? body(text)['max_output_tokens'])
      assert.deepEqual(bounds, [1_000, 2_000])
      assert.ok(!first(replay).outputs.some(({ type }) => type === 'reasoning'), 'reasoning of a try that is repeated is not kept')
    },
  },
  'reasoning-items-responses': {
    check(replay) {
      const sent = body(replay.generations[1]?.requests[0])
      assert.deepEqual((sent['input'] as object[]).slice(1, 4), [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
        { type: 'message', role: 'assistant', phase: 'commentary', content: [{ type: 'output_text', text: 'I look first.' }] },
        { type: 'function_call', call_id: 'fc_1', name: 'read_file', arguments: '{"path":"x"}' },
      ])
      assert.equal((sent['input'] as { type: string }[])[4]?.type, 'function_call_output')
      assert.deepEqual([sent['store'], 'previous_response_id' in sent], [false, false])
    },
  },
  'chat-refuses-tools-with-reasoning': {
    settings: { effort: 'high' },
    check(replay) {
      const efforts = first(replay).requests.map((text) => body(text)['reasoning_effort'])
      assert.deepEqual(efforts, ['high', 'none'], 'not at the address of OpenAI: once without reasoning')
    },
  },
  'max-tokens-refused': {
    check(replay) {
      const fields = first(replay).requests.map((text) => Object.keys(body(text)).find((name) => name.startsWith('max_')))
      assert.deepEqual(fields, ['max_tokens', 'max_completion_tokens'])
      assert.deepEqual(replay.learned.read(replay.url, 'emulated').changes, [
        { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' },
      ])
    },
  },
  'reasoning-content-required': {
    model: 'deepseek-v4-pro',
    items: () => call('c_0'),
    check(replay) {
      const messages = body(first(replay).requests[0])['messages'] as { role: string; reasoning_content?: string }[]
      assert.equal(messages.find(({ role }) => role === 'assistant')?.reasoning_content, '')
    },
  },
  'thought-signature-required': {
    check(replay) {
      const messages = body(replay.generations[1]?.requests[0])['messages'] as { role: string; tool_calls?: object[] }[]
      const [sent] = messages.find(({ role }) => role === 'assistant')?.tool_calls ?? []
      assert.deepEqual((sent as { extra_content?: object }).extra_content, { google: { thought_signature: 'abc' } })
    },
  },
  'thinking-rejected-after-model-change': {
    items: (maker) => call('c_0', { type: 'reasoning', maker, data: { type: 'thinking', thinking: 'old', signature: 'bad' } }),
    check(replay) {
      assert.deepEqual(
        first(replay).requests.map((text) => text.includes('"signature":"bad"')),
        [true, false],
      )
      assert.deepEqual(first(replay).outputs[0], { type: 'epoch', why: 'reasoning-refused' })
      assert.equal(wordsIn(first(replay)), 'Hello.')
    },
  },
  'refusal-field': { check: (replay) => assert.equal(wordsIn(first(replay)), "I'm sorry, I can't help with that.") },
  'refusal-stop-reason': declined,
  'content-filter': declined,
  'wrong-case-tool-name': { check: (replay) => assert.equal(allCalls(replay)[0]?.name, 'tellask') },
  'prefixed-tool-name': { check: (replay) => assert.equal(allCalls(replay)[0]?.name, 'add_reminder') },
  'unknown-tool': {
    tools: ['read_file', 'tellask', 'askHuman', 'clear_mind'],
    check(replay) {
      const [unknown] = allCalls(replay)
      assert.deepEqual([unknown?.name, unknown?.fault?.kind], ['delegate_task', 'unknown-tool'])
    },
  },
  'json-in-markdown-fence': {
    check(replay) {
      assert.equal(wordsIn(first(replay)), '', 'the fenced text is not shown')
      assert.deepEqual(inputs(replay), [['read_file', { path: 'x' }]])
    },
  },
  'arguments-in-fence-or-tags': {
    check(replay) {
      assert.deepEqual(inputs(replay), [
        ['read_file', { path: 'x' }],
        ['read_file', { path: 'x' }],
      ])
    },
  },
  'arguments-string-in-string': { check: (replay) => assert.deepEqual(inputs(replay), [['add_reminder', { content: 'x' }]]) },
  'broken-json-arguments': {
    check(replay) {
      const [broken, whole] = allCalls(replay)
      assert.deepEqual([broken?.fault?.kind, broken?.input], ['bad-arguments', { unreadable: '{"path": "x"' }])
      assert.deepEqual([whole?.fault, whole?.input], [undefined, { path: 'x' }])
    },
  },
  'over-32-calls': {
    check(replay) {
      const calls = callsIn(first(replay))
      assert.ok(calls.length > 32)
      assert.deepEqual(
        calls.map(({ fault }) => fault?.kind === 'too-many'),
        calls.map((_, at) => at >= 32),
      )
    },
  },
  'overlong-output': {
    check(replay) {
      assert.match(wordsIn(first(replay)), /\n\n\[The model stopped here/)
      assert.deepEqual(callsIn(first(replay)), [])
    },
  },
  'overflow-openai': overflow(128_000),
  'overflow-llamacpp': overflow(8_192),
  'overflow-lmstudio-string': overflow(4_096),
  'rate-limit-that-never-fits': overflow(6_000),
  'overflow-anthropic-with-output': {
    settings: { maxOutputTokens: 64_000 },
    check(replay) {
      const [, lowered] = first(replay).requests.map((text) => body(text)['max_tokens'] ?? body(text)['max_output_tokens'])
      assert.ok(typeof lowered === 'number' && lowered <= 20_785, String(lowered))
      assert.equal(wordsIn(first(replay)), 'ok')
    },
  },
  'overflow-silent-ollama': {
    check: (replay) => assert.equal(learnedWindow(replay), 4_096),
  },
  'user-after-tool-refused': {
    items: () => [...call('c_0'), messageItem('And?')],
    check(replay) {
      assert.deepEqual(
        first(replay).requests.map((text) => text.includes('(continued)')),
        [false, true],
      )
      assert.deepEqual(replay.learned.read(replay.url, 'emulated').changes, [{ kind: 'strict-roles' }])
      assert.equal(wordsIn(first(replay)), 'ok')
    },
  },
  'system-role-refused': {
    settings: { profile: { notes: 'system' } },
    items: () => [messageItem('Hello.'), { kind: 'note', note: { kind: 'diligence' } }],
    check(replay) {
      const roles = first(replay).requests.map((text) => (body(text)['messages'] as { role: string }[]).map(({ role }) => role))
      assert.deepEqual(roles, [['user', 'system'], ['user']])
      assert.deepEqual(replay.learned.read(replay.url, 'emulated').changes, [{ kind: 'notes-as-user' }])
      assert.deepEqual([first(replay).outputs[0], wordsIn(first(replay))], [{ type: 'epoch', why: 'model' }, 'ok'])
    },
  },
}
