import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { toWords } from '../../testing/agent-contract.ts'
import { programOutput } from './program-output.ts'

function read(bytes: Buffer, sizes: readonly number[] = [bytes.length]): AgentOutput[] {
  const output = programOutput({ maxBytes: 10_000_000, nextCall: (count) => `call_${count}` })
  const outputs: AgentOutput[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    outputs.push(...output.take(bytes.subarray(at, at + size)))
    at += size
  }
  return [...outputs, ...output.end()]
}

const say = (text: string): string => toWords(read(Buffer.from(text)))

describe('what a program writes', () => {
  it('is words, without the line break at the end', () => {
    assert.equal(say('one\n\n  two\n\n'), 'one\n\n  two')
    assert.equal(say('one\r\ntwo\r\n'), 'one\ntwo')
  })

  it('is an event where a line is one, and words where it only looks like one', () => {
    const outputs = read(Buffer.from('Hi\n{"type":"title","title":"T"}\n{"type":"unheard-of"}\n{"no":"event"}\n{broken\n'))
    assert.deepEqual(
      outputs.filter(({ type }) => type === 'title'),
      [{ type: 'title', title: 'T' }],
    )
    assert.equal(toWords(outputs), 'Hi\n{"type":"unheard-of"}\n{"no":"event"}\n{broken')
  })

  it('may be pieces, finished texts, calls and questions', () => {
    const ask = { text: 'Sure?', items: [{ id: 'a', text: '', kind: 'text' }] }
    const lines = [
      { type: 'delta', text: 'Hel' },
      { type: 'delta', text: 'lo' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'World' },
      { type: 'call', name: 'look' },
      { type: 'question', ask },
    ]
    const outputs = read(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')))
    assert.equal(toWords(outputs), 'Hello\n\nWorld')
    assert.deepEqual(
      outputs.filter(({ type }) => type === 'call' || type === 'question'),
      [
        { type: 'call', call: 'call_1', name: 'look', input: {} },
        { type: 'question', ask },
      ],
    )
    assert.equal(outputs.flatMap((output) => (output.type === 'delta' ? [output.text] : [])).join(''), 'Hello\n\nWorld')
  })

  it('is refused where an event is not well formed, with the reason', () => {
    assert.throws(() => say('{"type":"question","ask":{"text":"Q","items":[]}}'), /its question is not well formed: it has 0 parts/)
    assert.throws(() => say('{"type":"delta"}'), /not well formed \(text:/)
  })

  it('loses colours and orders to a terminal, and shows what is no text as such', () => {
    assert.equal(say('\u001b[1;32mgreen\u001b[0m \u001b]0;title\u0007x'), 'green x')
    assert.equal(say(' 10%\r 50%\r100%\n'), '100%')
    assert.equal(toWords(read(Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62]))), 'a\ufffd\ufffd\ufffdb')
  })

  it('is passed on while a line without an end goes on', () => {
    const outputs = read(Buffer.from('🎈'.repeat(200_000)), [65_536])
    assert.ok(outputs.length > 3)
    assert.equal(toWords(outputs), '🎈'.repeat(200_000))
  })

  it('does not depend on where the chunks are cut', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('{"type":"delta","text":"世界 🎈"}', '{"type":"text","text":"x"}', '', '\r', '\u001b[1mb\u001b[0m'),
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (lines, sizes) => {
          const bytes = Buffer.from(lines.join('\n'))
          assert.deepEqual(read(bytes, sizes), read(bytes))
        },
      ),
    )
  })
})
