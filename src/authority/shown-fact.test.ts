import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorityWords } from '../words/index.ts'
import { factInWords, plainFact, wordFact } from './shown-fact.ts'

const [en, zh] = [authorityWords.en.shown, authorityWords.zh.shown]

test('a fact of an approval is said in the language of its reader', () => {
  assert.deepEqual(factInWords(plainFact(en, 'folder', 'src'), zh), { label: zh.folder, value: 'src' })
  assert.deepEqual(factInWords(wordFact(zh, 'sandbox', 'sandboxOff'), en), { label: en.sandbox, value: en.sandboxOff })
  const limit = wordFact(en, 'timeLimit', 'seconds', 90)
  assert.deepEqual([limit.label, limit.value], ['Time limit', '90 s'])
  assert.deepEqual(factInWords(limit, zh), { label: zh.timeLimit, value: zh.seconds.replace('{n}', '90') })
})

test('a fact without known names stays as it was written', () => {
  for (const names of [{}, { name: 'later', says: 'later' }, { name: 'constructor', says: 'toString' }])
    assert.deepEqual(factInWords({ label: 'Account', value: 'savings', ...names }, zh), { label: 'Account', value: 'savings' })
})
