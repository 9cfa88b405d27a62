import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { learnedLimits, learnedModels } from './learned-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-learned-'))
after(() => rmSync(folder, { recursive: true }))
const place = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

test('windows and changes are known again after a restart', () => {
  const dir = place('restart')
  const one = learnedModels(dir)
  one.learn('http://a/v1', 'm', { windowTokens: 8_192 })
  one.learn('http://a/v1', 'm', { change: { kind: 'drop-field', field: 'temperature' } })
  one.learn('http://a/v1', 'm', { change: { kind: 'drop-field', field: 'temperature' } })
  one.learn('http://a/v1', 'm', { probed: { windowTokens: 4_096, isLoaded: true } })
  assert.deepEqual(learnedModels(dir).read('http://a/v1', 'm'), {
    windowTokens: 8_192,
    probed: { windowTokens: 4_096, isLoaded: true },
    changes: [{ kind: 'drop-field', field: 'temperature' }],
  })
  assert.deepEqual(learnedModels(dir).read('http://a/v1', 'other').changes, [])
})

test('dropped reasoning is no fact about the model', () => {
  const dir = place('lasting')
  learnedModels(dir).learn('http://a/v1', 'm', { change: { kind: 'drop-reasoning' } })
  assert.deepEqual(learnedModels(dir).read('http://a/v1', 'm').changes, [])
})

test('two processes of one folder do not forget what the other learned', () => {
  const dir = place('two')
  const [one, other] = [learnedModels(dir), learnedModels(dir)]
  one.read('http://a/v1', 'm')
  other.learn('http://a/v1', 'n', { windowTokens: 2_048 })
  one.learn('http://a/v1', 'm', { windowTokens: 1_024 })
  const both = learnedModels(dir)
  assert.deepEqual([both.read('http://a/v1', 'm').windowTokens, both.read('http://a/v1', 'n').windowTokens], [1_024, 2_048])
})

test('a file that is broken or missing is learned anew', () => {
  const dir = place('broken')
  for (const text of ['{', '[]', '{"a":{"changes":[{"kind":"run"}]}}', 'null']) {
    writeFileSync(join(dir, 'models.json'), text)
    const learned = learnedModels(dir)
    assert.deepEqual(learned.read('a', ''), { windowTokens: null, probed: null, changes: [] })
    learned.learn('http://a/v1', 'm', { windowTokens: 512 })
    assert.equal(learnedModels(dir).read('http://a/v1', 'm').windowTokens, 512)
  }
})

test('the table is bounded, and the oldest goes', () => {
  const dir = place('bound')
  const learned = learnedModels(dir)
  for (let at = 0; at <= learnedLimits.models; at += 1) learned.learn('http://a/v1', `m${at}`, { windowTokens: 1_000 + at })
  const stored = JSON.parse(readFileSync(join(dir, 'models.json'), 'utf8')) as object
  assert.equal(Object.keys(stored).length, learnedLimits.models)
  assert.equal(learned.read('http://a/v1', 'm0').windowTokens, null)
})

test('a folder that cannot be written is no fault', () => {
  const learned = learnedModels(join(folder, 'two', 'models.json', 'inside'))
  learned.learn('http://a/v1', 'm', { windowTokens: 512 })
  learned.learn('http://a/v1', 'n', { windowTokens: 513 })
  assert.equal(learned.read('http://a/v1', 'm').windowTokens, 512)
})
