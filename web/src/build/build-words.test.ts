import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageBuildWords } from '../../../src/words/page-parts.ts'

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
  const english = sentences(pageBuildWords['en'])
  const chinese = sentences(pageBuildWords['zh'])
  assert.ok(english.length > 70)
  assert.deepEqual(
    chinese.map(([path]) => path),
    english.map(([path]) => path),
  )
  for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
  for (const [path, text] of chinese) assert.match(text, /\p{Script=Han}/u, path)
})

test('texts of a build name no internals', () => {
  for (const language of ['en', 'zh'] as const)
    for (const [path, text] of sentences(pageBuildWords[language]))
      assert.doesNotMatch(text, /\b(worker|spawn|pipeline|blueprint|protocol|session|SSE|JSON)\b/i, path)
})
