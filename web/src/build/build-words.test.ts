import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildWords } from './build-words.ts'

function sentences(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`
    // An agent's own reason speaks for itself.
    if (here === 'causes.own') return []
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'function') return [[here, (value as (...given: unknown[]) => string)(2, 7, '问')]]
    return sentences(value as object, here)
  })
}

test('both languages say the same things about builds, and none says nothing', () => {
  const english = sentences(buildWords('en'))
  const chinese = sentences(buildWords('zh'))
  assert.ok(english.length > 70)
  assert.deepEqual(
    chinese.map(([path]) => path),
    english.map(([path]) => path),
  )
  for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
  for (const [path, text] of chinese) assert.match(text, /\p{Script=Han}/u, path)
})

test('nobody reads about the machinery', () => {
  for (const language of ['en', 'zh'] as const)
    for (const [path, text] of sentences(buildWords(language)))
      assert.doesNotMatch(text, /\b(worker|spawn|pipeline|blueprint|protocol|session|SSE|JSON)\b/i, path)
})
