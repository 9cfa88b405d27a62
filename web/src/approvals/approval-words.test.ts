import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageApprovalWords } from '../../../src/words/page-parts.ts'

function sentences(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'function') return [[here, (value as (...given: unknown[]) => string)(2, 7, '问', '网', '日')]]
    return sentences(value as object, here)
  })
}

test('both languages say the same things about approvals, and none says nothing', () => {
  const english = sentences(pageApprovalWords['en'])
  const chinese = sentences(pageApprovalWords['zh'])
  assert.ok(english.length > 60)
  assert.deepEqual(
    chinese.map(([path]) => path),
    english.map(([path]) => path),
  )
  for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
  // A separator has no words, and platforms keep their names.
  const isForeign = (path: string): boolean => path === 'because.and' || path === 'surfaces.telegram'
  for (const [path, text] of chinese) if (!isForeign(path)) assert.match(text, /\p{Script=Han}/u, path)
})
