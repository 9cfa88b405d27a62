import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promptTexts } from '../../../words/index.ts'
import type { OutputPart, PromptItem } from './prompt-items.ts'
import { renderAnthropic } from './render-anthropic.ts'
import { renderChat } from './render-chat.ts'
import { renderResponses } from './render-responses.ts'
import type { Profile } from './wires.ts'

const { notes } = promptTexts.en
const profile: Profile = { maker: 'm', language: 'en', systemRole: 'system', notesRole: 'developer' }
const hello: PromptItem = { kind: 'arrival', arrival: { kind: 'message', from: 'Mia', text: 'Hi', at: 0, offset: 0 } }
const helloText = '<message from="Mia" at="1970-01-01 00:00 +00:00">Hi</message>'
const note: PromptItem = { kind: 'note', note: { kind: 'reply-nudge', handle: 'r1' } }
const nudgeText = `<runtime>${notes.replyNudge('r1')}</runtime>`
const compactNote: PromptItem = { kind: 'note', note: { kind: 'compacted' } }
const result = (call: string, text: string, ok = true): PromptItem => ({
  kind: 'result',
  call,
  tool: 'run',
  handle: 'o1',
  result: { is: 'outcome', ok, text },
})
const output = (...parts: OutputPart[]): PromptItem => ({ kind: 'output', parts })
const call = (id: string): OutputPart => ({ type: 'call', call: id, name: 'run', input: { a: 1 } })
const words = (text: string, phase?: string): OutputPart => ({ type: 'words', text, ...(phase === undefined ? {} : { phase }) })
const reasoning = (data: object, maker = 'm'): OutputPart => ({ type: 'reasoning', maker, data })

describe('Chat Completions', () => {
  const calls = (...ids: string[]) => ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{"a":1}' } }))

  test('results, arrivals and one message of notes', () => {
    assert.deepEqual(renderChat([hello, output(words('Wait.'), call('c1')), result('c1', 'ok'), hello, note, compactNote], profile), [
      { role: 'user', content: helloText },
      { role: 'assistant', content: 'Wait.', tool_calls: calls('c1') },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'user', content: helloText },
      { role: 'developer', content: `<runtime>\n${notes.replyNudge('r1')}\n${notes.compacted}\n</runtime>` },
    ])
  })

  test('a bridge stands between results and what follows them, and nowhere else', () => {
    const roles = (items: PromptItem[], more: Partial<Profile> = { bridge: true }) =>
      renderChat(items, { ...profile, ...more }).map((message) => (message as { role: string }).role)
    const open = output(call('c1'))
    assert.deepEqual(roles([hello, open, result('c1', 'ok'), hello]), ['user', 'assistant', 'tool', 'assistant', 'user'])
    assert.deepEqual(roles([hello, open, result('c1', 'ok'), note]), ['user', 'assistant', 'tool', 'assistant', 'developer'])
    assert.deepEqual(roles([hello, open, result('c1', 'ok')]), ['user', 'assistant', 'tool'])
    assert.deepEqual(roles([hello, hello]), ['user', 'user'])
    assert.deepEqual(roles([hello, open, result('c1', 'ok'), hello], {}), ['user', 'assistant', 'tool', 'user'])
  })

  test('strict templates get one message of each role', () => {
    assert.deepEqual(renderChat([hello, hello, note], { ...profile, notesRole: 'user', alternate: true }).length, 1)
    assert.deepEqual(renderChat([hello, hello], { ...profile, alternate: true }), [
      { role: 'user', content: `${helloText}\n\n${helloText}` },
    ])
  })

  test('fields of the reasoning stand at the message or at the next call, and go to their own model alone', () => {
    const parts = [reasoning({ signed: 1 }), reasoning({ onCall: { extra: 2 } }), call('c1'), call('c2'), reasoning({ other: 3 }, 'else')]
    const [first, second] = calls('c1', 'c2')
    assert.deepEqual(renderChat([output(...parts)], profile), [
      { role: 'assistant', content: null, signed: 1, tool_calls: [{ ...first, extra: 2 }, second] },
    ])
  })

  test('reasoning_content is empty where a server requires it beside calls', () => {
    const strict = { ...profile, reasoningContent: true }
    assert.deepEqual(renderChat([output(call('c1'))], strict), [
      { role: 'assistant', content: null, reasoning_content: '', tool_calls: calls('c1') },
    ])
    assert.deepEqual(renderChat([output(words('Hi'))], strict), [{ role: 'assistant', content: 'Hi' }])
    assert.deepEqual(renderChat([output(reasoning({ reasoning_content: 'because' }), call('c1'))], strict), [
      { role: 'assistant', content: null, reasoning_content: 'because', tool_calls: calls('c1') },
    ])
  })
})

describe('Anthropic Messages', () => {
  const text = (written: string) => ({ type: 'text', text: written })
  const nudge = text(nudgeText)

  test('results come before arrivals, and only failed ones have is_error', () => {
    const waiting: PromptItem = {
      kind: 'result',
      call: 'c3',
      tool: 'ask',
      handle: 'q1',
      result: { is: 'waiting', handle: 'q1', waiting: { for: 'question' } },
    }
    const short: PromptItem = {
      kind: 'result',
      call: 'c4',
      tool: 'run',
      handle: 'o2',
      result: { is: 'shortened', tool: 'run', chars: 9_000, ok: false, handle: 'o2' },
    }
    const [message] = renderAnthropic([hello, result('c1', 'ok'), result('c2', 'no', false), waiting, short], profile) as {
      content: Record<string, unknown>[]
    }[]
    assert.deepEqual(
      message?.content.map(({ type, tool_use_id: id, is_error: isError }) => [type, id, isError]),
      [
        ['tool_result', 'c1', undefined],
        ['tool_result', 'c2', true],
        ['tool_result', 'c3', undefined],
        ['tool_result', 'c4', true],
        ['text', undefined, undefined],
      ],
    )
  })

  test('notes are a block of the user, or a message of the system that follows one of the user', () => {
    assert.deepEqual(renderAnthropic([hello, note], profile), [{ role: 'user', content: [text(helloText), nudge] }])
    const asSystem: Profile = { ...profile, notesRole: 'system' }
    assert.deepEqual(renderAnthropic([hello, note], asSystem), [
      { role: 'user', content: [text(helloText)] },
      { role: 'system', content: [nudge] },
    ])
    assert.deepEqual(renderAnthropic([note], asSystem), [{ role: 'user', content: [nudge] }])
  })

  test('an output keeps the order of its parts; blank words and foreign reasoning are left out', () => {
    const thought = { type: 'thinking', thinking: 'x' }
    const parts = [reasoning(thought), reasoning({ type: 'foreign' }, 'else'), words(' \n'), words('Wait.'), call('c1')]
    assert.deepEqual(renderAnthropic([output(...parts)], profile), [
      { role: 'assistant', content: [thought, text('Wait.'), { type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } }] },
    ])
    assert.deepEqual(renderAnthropic([output(words(' '))], profile), [{ role: 'assistant', content: [text('(no answer)')] }])
  })
})

describe('Responses', () => {
  test('every part is an item; blank words and foreign reasoning are left out', () => {
    const thought = { type: 'reasoning', id: 'rs_1' }
    const parts = [reasoning(thought), reasoning({ id: 'else' }, 'else'), words(' '), words('Wait.', 'commentary'), call('c1')]
    assert.deepEqual(renderResponses([hello, output(...parts), result('c1', 'ok'), note], profile), [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: helloText }] },
      thought,
      { type: 'message', role: 'assistant', phase: 'commentary', content: [{ type: 'output_text', text: 'Wait.' }] },
      { type: 'function_call', call_id: 'c1', name: 'run', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: nudgeText }] },
    ])
    assert.deepEqual(renderResponses([output()], profile), [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '(no answer)' }] },
    ])
  })
})

test('a line about something that waits has the first 200 characters of its first line', () => {
  const [message] = renderChat(
    [
      {
        kind: 'course',
        blocks: [
          {
            block: 'waiting',
            waiting: [
              { handle: 'q1', waiting: { for: 'question' }, tool: 'ask', session: null, passedMs: 0, text: `${'a'.repeat(200)}b\nmore` },
            ],
          },
        ],
      },
    ],
    profile,
  ) as { content: string }[]
  assert.match(message?.content ?? '', /[^a]a{200}(?![ab])/)
  assert.doesNotMatch(message?.content ?? '', /more/)
})
