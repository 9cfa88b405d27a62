import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fill } from './authority-words.ts'
import { authorityWords } from '../words/index.ts'
import { becauseWords } from '../words/page-parts.ts'

/** Every text with its path, such as `status.late`. */
const flat = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const at = path === '' ? key : `${path}.${key}`
    return typeof inner === 'string' ? [[at, inner]] : flat(inner as object, at)
  })

const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted()

it('English and Chinese have the same texts with the same values in them', () => {
  const english = flat({ ...authorityWords.en, ...becauseWords.en })
  const chinese = new Map(flat({ ...authorityWords.zh, ...becauseWords.zh }))
  assert.ok(english.length > 50)
  assert.equal(chinese.size, english.length)
  for (const [path, text] of english) assert.deepEqual(names(chinese.get(path) ?? ''), names(text), path)
})

it('fill leaves no empty brackets behind', () => {
  assert.equal(fill('it sets a variable ({detail})', {}), 'it sets a variable')
  assert.equal(fill('它设置了变量（{detail}）', { detail: 'A' }), '它设置了变量（A）')
})
