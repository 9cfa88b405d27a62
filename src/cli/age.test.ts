import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminal } from '../words/en/terminal.ts'
import { durationText } from './age.ts'

test('durationText: a span in days, hours and minutes', () => {
  const text = (minutes: number): string => durationText(minutes * 60_000, terminal)
  assert.deepEqual([text(1), text(100), text(240), text(1_500)], ['1 min', '1 h 40 min', '4 h', '1 d 1 h'])
})
