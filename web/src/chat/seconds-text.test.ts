import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsText } from './seconds-text.ts'

test('secondsText: seconds below a minute, then minutes and seconds', () => {
  const texts = [0, 180, 9_940, 48_200, 59_600, 112_000, 3_725_000].map((ms) => secondsText(ms, 'en').replace('\u00A0', ' '))
  assert.deepEqual(texts, ['0 s', '0.2 s', '9.9 s', '48 s', '1:00', '1:52', '62:05'])
  assert.equal(secondsText(12_000, 'zh'), '12\u00A0秒')
})
