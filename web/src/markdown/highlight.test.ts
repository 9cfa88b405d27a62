import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { measureGrowth } from '../../../test/linear-time/cpu-time.ts'
import { worstCases } from '../../../test/linear-time/worst-cases.ts'
import { highlight } from './highlight.ts'

const shown = (text: string, language: string): [string | null, string][] =>
  highlight(text, language)
    .filter(({ kind }) => kind !== null)
    .map(({ kind, text: part }) => [kind, part])

const languages = ['ts', 'python', 'sh', 'yaml', 'sql', 'html', 'diff', 'klingon', '', '__proto__', 'constructor']

test('comments, texts, numbers and key words have their kind', () => {
  assert.deepEqual(shown('const a = "b // c" // d 1\nreturn a1 + 0x2f', 'TypeScript'), [
    ['word', 'const'],
    ['text', '"b // c"'],
    ['comment', '// d 1'],
    ['word', 'return'],
    ['number', '0x2f'],
  ])
  assert.deepEqual(shown('def f(x):  # why\n  """long "quoted" text"""', 'python'), [
    ['word', 'def'],
    ['comment', '# why'],
    ['text', '"""long "quoted" text"""'],
  ])
  assert.deepEqual(shown('echo a#b # c', 'sh'), [
    ['word', 'echo'],
    ['comment', '# c'],
  ])
  assert.deepEqual(shown("SELECT 'it' -- all", 'sql'), [
    ['word', 'SELECT'],
    ['text', "'it'"],
    ['comment', '-- all'],
  ])
  assert.deepEqual(shown('@@ 1 @@\n+new\n-old\n same', 'diff'), [
    ['comment', '@@ 1 @@\n'],
    ['added', '+new\n'],
    ['removed', '-old\n'],
  ])
  assert.deepEqual(shown('/* open', 'go'), [['comment', '/* open']])
  assert.deepEqual(shown('const a', 'klingon'), [])
})

test('the parts are the text, whatever it is', () => {
  const pieces = fc.array(
    fc.constantFrom('"', "'", '`', '\\', '/*', '*/', '//', '#', '--', '<!--', '-->', '\n', 'if', '1.5', '城', ' ', '"""', '+'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((all) => all.join('')),
        fc.string({ unit: 'grapheme' }),
      ),
      fc.constantFrom(...languages),
      (text, language) => {
        assert.equal(
          highlight(text, language)
            .map((part) => part.text)
            .join(''),
          text,
        )
      },
    ),
  )
})

test('takes linear time on the worst cases, below the length from which code stays plain', (t) => {
  const slow: string[] = []
  for (const language of ['ts', 'python', 'sql', 'html'])
    for (const [which, make] of worstCases) {
      const { isLinear, figures } = measureGrowth((chars) => {
        const text = make(Math.min(chars, 19_000))
        return () => void highlight(text, language)
      })
      if (!isLinear) slow.push(`${language} ${which}: ${figures}`)
    }
  t.diagnostic(`${worstCases.size} worst cases`)
  assert.ok(worstCases.size >= 200)
  assert.deepEqual(slow, [])
})
