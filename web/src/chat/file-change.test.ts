import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileChange } from './file-change.ts'

test('fileChange: an edit shows the lines that changed between those that stayed', () => {
  const change = fileChange({
    name: 'edit_file',
    input: {
      path: 'site/config.toml',
      old_text: '[site]\nbase = "old"\nlanguage = "en"\n',
      new_text: '[site]\nbase = "new"\nimages = "/m"\nlanguage = "en"\n',
    },
  })
  assert.deepEqual(
    change?.lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same [site]', 'removed base = "old"', 'added base = "new"', 'added images = "/m"', 'same language = "en"'],
  )
  assert.deepEqual([change?.added, change?.removed, change?.isNew], [2, 1, false])
})

test('fileChange: a repeated line is not counted at both ends', () => {
  const change = fileChange({ name: 'edit_file', input: { path: 'a', old_text: 'x\nx', new_text: 'x' } })
  assert.deepEqual([change?.added, change?.removed], [0, 1])
})

test('fileChange: a whole file is all new lines, and other calls change nothing', () => {
  assert.equal(fileChange({ name: 'write_file', input: { path: 'a', content: 'one\ntwo\n' } })?.added, 2)
  for (const [name, input] of [
    ['run', { command: 'ls' }],
    ['edit_file', { path: 'a' }],
    ['write_file', 'a'],
    ['read_file', { path: 'a' }],
    ['write_file', null],
  ] as const)
    assert.equal(fileChange({ name, input }), null)
})
