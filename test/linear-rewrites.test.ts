import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { globPattern } from '../src/agents/workspace/glob.ts'
import { GatheredCalls } from '../src/agents/wires/gathered-calls.ts'
import { programOutput } from '../src/agents/runtimes/program-output.ts'
import { markdownToHtml } from '../src/chats/channels/telegram/html.ts'
import { readAnswers } from '../src/builds/rules/header.ts'
import { eventsIn } from '../src/client/sse.ts'
import { fillVariables } from '../src/app/config/variables.ts'
import { changeBetween } from '../src/plugins/host/json-change.ts'
import { plainPreview } from '../web/src/lists/plain-preview.ts'
import { referenceCalls } from './linear-time/reference-calls.ts'
import { referenceHtml } from './linear-time/reference-html.ts'
import {
  referenceBlocks,
  referenceChange,
  referenceAnswers,
  referenceGlob,
  referencePreview,
  referenceVariables,
} from './linear-time/references.ts'

/** Text made of the pieces that matter to an expression, so that most cases come close to a match. */
const getText = (pieces: readonly string[], maxLength = 40): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''))

const markdown = '` `` ``` ~ ~~ ~~~ * ** _ __ [ ]( ](https://x ](tel: ) ( " < & \\ a b1 界 😀 # - > . 1. [x](y) \u2028 \r \n'
  .split(' ')
  .concat(' ', ' ', '\n')

test('markdownToHtml: gives the same HTML and uses as many entities as before', () => {
  fc.assert(
    fc.property(getText(markdown), fc.integer({ min: 0, max: 6 }), (text, left) => {
      const [now, before] = [{ left }, { left }]
      assert.equal(markdownToHtml(text, now), referenceHtml(text, before))
      assert.equal(now.left, before.left)
    }),
    { numRuns: 20_000 },
  )
})

test('plainPreview: gives the same text as before', () => {
  fc.assert(
    fc.property(getText(markdown), (text) => assert.equal(plainPreview(text), referencePreview(text))),
    { numRuns: 20_000 },
  )
})

test('globPattern: accepts the same names as before', () => {
  const glob = getText(['*', '**', '/', '/**', '**/', '?', '{', '}', ',', 'a', 'b', '.', './', '😀', '\\', '+', '(', '[', '\ud83d'], 10)
  const name = getText(['a', 'b', '/', '.', ',', '{', '}', '😀', '*', '\\', '+', '(', '[', '\n', '\ud83d', '\ude00'], 10)
  let accepted = 0
  fc.assert(
    fc.property(glob, name, fc.boolean(), (pattern, given, andBelow) => {
      const isAccepted = globPattern(pattern, { andBelow }).test(given)
      accepted += Number(isAccepted)
      assert.equal(isAccepted, referenceGlob(pattern, { andBelow }).test(given))
    }),
    { numRuns: 20_000 },
  )
  assert.ok(accepted > 500, `${accepted} names were accepted`)
})

test('fillVariables: fills in the same variables as before', () => {
  const text = getText(['$', '{', '}', '${A}', '${A', ':-', '${B:-', 'x', ' ', '$${A}'])
  fc.assert(
    fc.property(text, (given) => assert.deepEqual(fillVariables(given, { A: 'a' }), referenceVariables(given, { A: 'a' }))),
    { numRuns: 10_000 },
  )
})

test('eventsIn: finds the same events however the stream is cut', async () => {
  const piece = getText(['data: a', 'id: 1', '\n', '\r', '\r\n', '\n\n', ':', 'data:b'], 6)
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const matches: string[] = []
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const each of pieces) controller.enqueue(new TextEncoder().encode(each))
          controller.close()
        },
      })
      for await (const events of eventsIn(body)) matches.push(...events.map(({ id, data }) => `${id}|${data}`))
      const expected = referenceBlocks(pieces.filter((each) => each !== '')).flatMap((block) => {
        const lines = block.split(/\r\n|\n|\r/)
        const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''))
        return data.length === 0 ? [] : [`${lines.findLast((line) => line.startsWith('id:'))?.slice(4) ?? ''}|${data.join('\n')}`]
      })
      assert.deepEqual(matches, expected)
    }),
    { numRuns: 2_000 },
  )
})

test('programOutput: reads the same words however the output is cut', () => {
  const text = getText(['a', 'b c', '\n', '{"type":"delta","text":"x"}', '\r', '界', ' '])
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }), (given, cuts) => {
      const bytes = Buffer.from(given)
      const toWords = (ends: readonly number[]): string => {
        const output = programOutput({ maxBytes: 100_000, nextCall: String })
        const texts = [...ends, bytes.length]
          .toSorted((a, b) => a - b)
          .flatMap((end, index, all) => [...output.take(bytes.subarray(all[index - 1] ?? 0, end))])
        return [...texts, ...output.end()].map((each) => (each.type === 'delta' ? each.text : each.type)).join('')
      }
      assert.equal(toWords(cuts), toWords([]))
    }),
    { numRuns: 2_000 },
  )
})

test('changeBetween: finds the same change as before', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 0, 1, 'a', true),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, value, (before, after) => assert.deepEqual(changeBetween(before, after), referenceChange(before, after))),
    { numRuns: 20_000 },
  )
})

test('readAnswers: reads the same lines as before', () => {
  fc.assert(
    fc.property(getText(['q:', 'r:', 'a', ' ', '\n', '\r', '\n\n', 'b: ']), (body) => {
      const read = readAnswers(`q: x\n${body}\nr: y`, ['q', 'r'])
      assert.deepEqual('answers' in read ? read.answers : null, referenceAnswers(`q: x\n${body}\nr: y`, ['q', 'r']))
    }),
    { numRuns: 5_000 },
  )
})

test('GatheredCalls: puts pieces together as before', () => {
  const piece = fc.record({
    index: fc.constantFrom(0, 1, undefined),
    id: fc.constantFrom('', 'a', 'b'),
    name: fc.constantFrom('', 'f', 'f', 'g'),
    input: fc.constantFrom('', '{', '}', '{}', '{"a":', '"', '"}"', '1', ' ', '[', ']', '\\', 'true', '{"a":1}'),
  })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const calls = new GatheredCalls()
      for (const { index, id, name, input } of pieces) calls.take({ index, id, function: { name, arguments: input } })
      assert.deepEqual(
        getResult(() => calls.whole().map((part) => part.type === 'call' && [part.id, part.name, part.input])),
        referenceCalls(pieces),
      )
    }),
    { numRuns: 20_000 },
  )
})

function getResult(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return String(error)
  }
}

test('expressions that were rewritten accept the same text as before', () => {
  const rewritten: readonly [before: RegExp, now: RegExp][] = [
    [/[*?]|\[.*\]/s, /[*?]|^[^[]*\[[^\]]*\]/],
    [/:[^\]]*$/, /:[^\]:]*$/],
    [/^-[A-Za-z]*c[A-Za-z]*$/, /^-[A-Zabd-z]*c[A-Za-z]*$/],
    [/^-[A-Za-z]*s[A-Za-z]*$/, /^-[A-Za-rt-z]*s[A-Za-z]*$/],
    [/\[[\s\S]*(?:\$\(|`)/, /^[^[]*\[[\s\S]*?(?:\$\(|`)/],
    [/[.\s]+$/, /(?<![.\s])[.\s]+$/],
    [/\/+$/, /(?<!\/)\/+$/],
    [/^ {0,3}(`{3,}|~{3,})(.*)$/, /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/],
    [/^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/, /^ {0,3}(?:`{3}|~{3})[^\n]*\n/],
  ]
  const text = getText(
    ['[', ']', '*', '?', ':', '-', 'c', 's', 'B', 'y', '$(', '`', '```', '~~~~', '.', ' ', '/', '\n', '\r', 'a', '界'],
    12,
  )
  fc.assert(
    fc.property(text, (given) => {
      for (const [before, now] of rewritten) assert.deepEqual(now.exec(given)?.slice(1), before.exec(given)?.slice(1), String(now))
    }),
    { numRuns: 20_000 },
  )
})
