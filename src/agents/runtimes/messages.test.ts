import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { type Message, toMessages } from './messages.ts'

const human = (text: string, by = 'me'): ContextItem => ({ kind: 'human', text, by })
const agent = (text: string): ContextItem => ({ kind: 'agent', text, turn: 1 })
const ask = {
  text: 'Which one?',
  items: [
    {
      id: 'a',
      text: 'Pick',
      kind: 'choice' as const,
      options: [
        { value: 'x', label: 'The X' },
        { value: 'y', label: 'The Y' },
      ],
    },
  ],
}
const called = (call: string, name = 'look', output: unknown = 'seen'): ContextItem => ({
  kind: 'call',
  call,
  name,
  input: { at: call },
  result: { ok: true, output },
})

/** The dialog in one line for each message, to compare by eye. */
const describeMessages = (context: ContextItem[]): string[] =>
  toMessages(context).map(({ role, content }) => {
    const parts = content.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return `${part.toolName}(${JSON.stringify(part.input)})#${part.toolCallId}`
      return `#${part.toolCallId} ${part.output.type} ${JSON.stringify(part.output.value)}`
    })
    return `${role}: ${parts.join(' | ')}`
  })

describe('the dialog as a model reads it', () => {
  it('pairs calls with results and joins what one side said in a row', () => {
    assert.deepEqual(
      describeMessages([human('Hi'), human('there'), agent('Looking'), called('c1'), called('c2', 'look', { n: 1 }), human('Well?')]),
      [
        'user: Hi\n\nthere',
        'assistant: Looking | look({"at":"c1"})#c1',
        'tool: #c1 text "seen"',
        'assistant: look({"at":"c2"})#c2',
        'tool: #c2 json {"n":1}',
        'user: Well?',
      ],
    )
  })

  it('says of a call that waits for approval that it has not run', () => {
    const waiting: ContextItem = { kind: 'call', call: 'c1', name: 'pay', input: {}, result: null, awaits: 'approval' }
    const [, , result] = describeMessages([human('Pay'), waiting, human('And?')])
    assert.match(result ?? '', /waits for a person's approval\. It has not run\..*do not repeat the call/)
  })

  it('says who speaks once there are several', () => {
    assert.deepEqual(describeMessages([human('Hi', 'Mia'), human('Ho', 'Tom')]), ['user: Mia: Hi\n\nTom: Ho'])
  })

  it('gives the answer as the result of askHuman, and five different texts for what can become of a question', () => {
    const asking: ContextItem = { kind: 'call', call: 'q1', name: 'askHuman', input: ask, result: null }
    const results = (['answered', 'declined', 'cancelled', 'expired', null] as const).map((outcome) => {
      const end = outcome && {
        outcome,
        at: 1,
        by: 'me',
        via: null,
        answers: outcome === 'answered' ? { a: 'y' } : null,
        reason: outcome === 'declined' ? 'busy' : null,
      }
      return describeMessages([human('Hi'), asking, { kind: 'question', question: 'q_1', call: 'q1', ask, outcome: end }]).at(-1)
    })
    assert.deepEqual(results, [
      'tool: #q1 text "The Y"',
      'tool: #q1 text "The human declined to answer. Their reason: busy"',
      'tool: #q1 text "The question was cancelled before anybody answered; this is not a no."',
      'tool: #q1 text "The question expired without an answer; this is not a no."',
      'tool: #q1 text "Still waiting: the human has not answered this question yet."',
    ])
  })

  it('tells a question that came without a call in words', () => {
    const outcome = { outcome: 'answered' as const, at: 1, by: 'me', via: null, answers: { a: 'x' }, reason: null }
    assert.deepEqual(describeMessages([human('Hi'), { kind: 'question', question: 'q_1', call: null, ask, outcome }]), [
      'user: Hi',
      'assistant: Which one?\nPick (The X / The Y)',
      'user: The X',
    ])
  })

  it('repairs messages that providers would refuse', () => {
    const odd: ContextItem = { kind: 'call', call: 'a b', name: 'get weather!', input: '{"half', result: { ok: false, output: '' } }
    assert.deepEqual(describeMessages([agent('Once'), odd, { ...odd, result: null }, agent('upon')]), [
      'user: [The beginning of this dialog is omitted.]',
      'assistant: Once | get_weather_({"unreadable":"{\\"half"})#a_b',
      'tool: #a_b error-text "(no output)"',
      'assistant: get_weather_({"unreadable":"{\\"half"})#a_b_2',
      'tool: #a_b_2 text "It was interrupted before a result came. Whether it took effect is not known."',
      'assistant: upon',
      'user: [Please continue.]',
    ])
  })

  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const id = fc.constantFrom('c1', 'c2', 'c:3', '', 'x'.repeat(90))
  const outcome = fc.option(
    fc.record({
      outcome: fc.constantFrom('answered' as const, 'declined' as const, 'cancelled' as const, 'expired' as const),
      at: fc.nat(),
      by: fc.option(text),
      via: fc.constant(null),
      answers: fc.option(fc.constant({ a: 'x' })),
      reason: fc.option(text),
    }),
  )
  const items: { [Kind in ContextItem['kind']]: fc.Arbitrary<Extract<ContextItem, { kind: Kind }>> } = {
    human: fc.record({ kind: fc.constant('human' as const), text, by: fc.constantFrom('me', 'you') }),
    agent: fc.record({ kind: fc.constant('agent' as const), text, turn: fc.nat() }),
    prompt: fc.record({ kind: fc.constant('prompt' as const), text }),
    call: fc.record({
      kind: fc.constant('call' as const),
      call: id,
      name: fc.constantFrom('look', 'askHuman', 'odd name'),
      input: fc.jsonValue(),
      result: fc.option(fc.record({ ok: fc.boolean(), output: fc.oneof(text, fc.jsonValue()) })),
    }),
    question: fc.record({
      kind: fc.constant('question' as const),
      question: fc.constantFrom('q1', 'q2', 'q3'),
      call: fc.option(id),
      ask: fc.constant(ask),
      outcome,
    }),
  }
  const item: fc.Arbitrary<ContextItem> = fc.oneof(...Object.values(items))

  it('holds what providers demand, whatever was said', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (context) => {
        const messages = toMessages(context)
        assert.equal(messages[0]?.role, 'user')
        assert.notEqual(messages.at(-1)?.role, 'assistant')
        const ids = new Set<string>()
        for (const [index, message] of messages.entries()) checkMessage(message, messages[index - 1], ids)
      }),
      { numRuns: 1_000 },
    )
  })

  it('loses nothing that was said', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (context) => {
        const all = JSON.stringify(toMessages(context))
        const inside = (words: string): boolean => all.includes(JSON.stringify(words).slice(1, -1))
        for (const one of context) {
          if ((one.kind === 'human' || one.kind === 'agent') && one.text.trim() !== '') assert.ok(inside(one.text), one.text)
          if (one.kind === 'call' && typeof one.result?.output === 'string' && one.result.output.trim() !== '')
            assert.ok(inside(one.result.output))
        }
        const calls = toMessages(context).filter(({ role }) => role === 'tool').length
        assert.equal(calls, context.filter(({ kind }) => kind === 'call').length)
      }),
      { numRuns: 500 },
    )
  })
})

function checkMessage(message: Message, before: Message | undefined, ids: Set<string>): void {
  assert.ok(message.content.length > 0)
  if (message.role === 'tool') {
    assert.equal(before?.role, 'assistant')
    const calls = before?.content.filter((part) => part.type === 'tool-call').map((part) => part.toolCallId)
    assert.deepEqual(
      calls,
      message.content.map((part) => part.toolCallId),
    )
    return
  }
  assert.notEqual(message.role, before?.role)
  if (before?.role === 'assistant') assert.ok(!before.content.some((part) => part.type === 'tool-call'), 'a call without a result')
  for (const part of message.content) {
    if (part.type === 'text') assert.notEqual(part.text.trim(), '')
    else {
      assert.match(part.toolCallId, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.match(part.toolName, /^[a-zA-Z0-9_-]{1,64}$/)
      assert.ok(!ids.has(part.toolCallId))
      ids.add(part.toolCallId)
      assert.ok(typeof part.input === 'object' && part.input !== null && !Array.isArray(part.input))
    }
  }
}
