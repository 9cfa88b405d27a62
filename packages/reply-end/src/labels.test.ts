import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceRows, chooseLocale, endLabels, endToasts, localeOfText, markerLabel, shortEndLabels } from './labels.ts'

test('labels and toasts to the letter', () => {
  assert.deepEqual(endLabels, {
    'zh-Hant': { continue: 'A. 繼續', stop: 'B. 就這樣吧,不需要額外處理' },
    en: { continue: 'A. Continue', stop: 'B. Stop here, no further action needed' },
  })
  assert.deepEqual(shortEndLabels, { 'zh-Hant': { continue: '繼續', stop: '就這樣吧' }, en: { continue: 'Continue', stop: 'Stop here' } })
  assert.deepEqual(
    Object.values(endLabels).flatMap((labels) => Object.values(labels).map((label) => label.length)),
    [5, 15, 11, 38],
  )
  assert.ok(endLabels['zh-Hant'].stop.includes(','))
  for (const toasts of Object.values(endToasts)) for (const toast of Object.values(toasts)) assert.ok(toast.length <= 200)
  assert.equal(markerLabel('zh-Hant', 'stop'), '✓ 就這樣吧')
})

test('full labels stand in two rows, short ones in one', () => {
  assert.deepEqual(
    choiceRows('en', 'full').map((row) => row.map(({ label }) => label)),
    [['A. Continue'], ['B. Stop here, no further action needed']],
  )
  assert.deepEqual(
    choiceRows('zh-Hant', 'short').map((row) => row.map(({ choice }) => choice)),
    [['continue', 'stop']],
  )
})

test('the language: a setting, else the script of the last text, else the default', () => {
  assert.deepEqual(['用 grammY 寫', 'hello', 'こんにちは世界', '12 + 3', '안녕'].map(localeOfText), ['zh-Hant', 'en', null, null, null])
  assert.equal(chooseLocale({ localeSetting: 'en', lastScript: 'zh-Hant' }, 'zh-Hant'), 'en')
  assert.equal(chooseLocale({ localeSetting: null, lastScript: 'zh-Hant' }, 'en'), 'zh-Hant')
  assert.equal(chooseLocale({ localeSetting: null, lastScript: null }, 'en'), 'en')
})
