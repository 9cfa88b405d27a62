import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RepeatedPiece } from './repeated-piece.ts'

const chunk = (content: unknown, more: object = {}): string =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content, ...more }, finish_reason: null }] })

/** Reads like a reply: known pieces by repetition, all others by the parser. */
function readAll(pieces: readonly string[]): { values: unknown[]; repeated: number } {
  const reader = new RepeatedPiece()
  const values: unknown[] = []
  let repeated = 0
  for (const piece of pieces) {
    const known = reader.read(piece)
    if (known === undefined) {
      const value = JSON.parse(piece) as unknown
      reader.learn(piece, value)
      values.push(structuredClone(value))
    } else {
      repeated += 1
      values.push(structuredClone(known))
    }
  }
  return { values, repeated }
}

test('RepeatedPiece: pieces that differ in their words are parsed once', () => {
  const pieces = [chunk('One '), chunk('two '), chunk(''), chunk('天')]
  assert.deepEqual(readAll(pieces), { values: pieces.map((piece) => JSON.parse(piece) as unknown), repeated: 3 })
})

test('RepeatedPiece: words with quotes, escapes or control characters are parsed', () => {
  for (const words of ['say "hi"', 'a\\b', 'line\nbreak', '\u0085']) {
    const reader = new RepeatedPiece()
    reader.learn(chunk('a'), JSON.parse(chunk('a')))
    if (words === '\u0085') assert.equal(reader.read(chunk(words)), undefined)
    assert.deepEqual(readAll([chunk('a'), chunk(words)]).values[1], JSON.parse(chunk(words)))
  }
  const reader = new RepeatedPiece()
  reader.learn(chunk('a'), JSON.parse(chunk('a')))
  assert.equal(reader.read(chunk('a').replace('"a"', '"\t"')), undefined)
})

test('RepeatedPiece: a second field of the same name is never taken for the words', () => {
  const [one, two] = ['x', 'y'].map((top) => `{"content":"${top}","choices":[{"delta":{"content" : "x"}}]}`) as [string, string]
  assert.deepEqual(readAll([one, two]), { values: [JSON.parse(one), JSON.parse(two)], repeated: 0 })
})

test('RepeatedPiece: pieces with calls or reasoning parts are parsed, because their parts are kept', () => {
  const pieces = [chunk('a', { tool_calls: [{ index: 0 }] }), chunk('b', { tool_calls: [{ index: 0 }] })]
  assert.equal(readAll(pieces).repeated, 0)
})

test('RepeatedPiece: reads every list of pieces as the parser does', () => {
  const field = fc.constantFrom('content', 'role', 'reasoning_content', 'id', 'say')
  const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('"content":"', 'content', '\\', '"', ''))
  const delta = fc.dictionary(field, fc.oneof(text, fc.constant(null), fc.integer()), { maxKeys: 3 })
  const value = fc.record({
    id: text,
    choices: fc.array(fc.record({ delta, finish_reason: fc.constantFrom(null, 'stop') }), { maxLength: 2 }),
  })
  const pieces = fc.array(value, { minLength: 2, maxLength: 3 }).chain((values) =>
    // Repetitions with other words, as a stream has them.
    fc.array(fc.tuple(fc.nat(values.length - 1), text), { maxLength: 8 }).map((order) =>
      order.map(([at, words]) => {
        const copy = structuredClone(values[at]) as { choices: { delta: Record<string, unknown> }[] }
        const first = copy.choices[0]?.delta
        if (first && 'content' in first) first['content'] = words
        return JSON.stringify(copy)
      }),
    ),
  )
  fc.assert(
    fc.property(pieces, (list) => {
      assert.deepEqual(
        readAll(list).values,
        list.map((piece) => JSON.parse(piece) as unknown),
      )
    }),
    { numRuns: 2_000 },
  )
})
