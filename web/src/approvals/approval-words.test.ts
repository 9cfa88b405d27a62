import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalWords } from './approval-words.ts'

function sentences(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'function') return [[here, (value as (...given: unknown[]) => string)(2, 7, '问', '网', '日')]]
    return sentences(value as object, here)
  })
}

test('both languages say the same things about approvals, and none says nothing', () => {
  const english = sentences(approvalWords('en'))
  const chinese = sentences(approvalWords('zh'))
  assert.ok(english.length > 60)
  assert.deepEqual(
    chinese.map(([path]) => path),
    english.map(([path]) => path),
  )
  for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
  for (const [path, text] of chinese) assert.match(text, /\p{Script=Han}/u, path)
})
