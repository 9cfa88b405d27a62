import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptTexts } from '../../../words/index.ts'
import { shortened } from './shorten.ts'
import { passedTime, writtenDay, writtenTime } from './times.ts'

const { units, day } = promptTexts.en
const minute = 60_000

test('passedTime: minutes below two hours, hours below two days, then days', () => {
  const passed = [-5, 0, 119 * minute, 120 * minute, 48 * 60 * minute - 1, 48 * 60 * minute, 73 * 60 * minute]
  assert.deepEqual(
    passed.map((ms) => passedTime(ms, units)),
    [units.minutes(0), units.minutes(0), units.minutes(119), units.hours(2), units.hours(47), units.days(2), units.days(3)],
  )
})

test('writtenTime and writtenDay: in the time zone of the event', () => {
  const at = Date.UTC(2026, 0, 1, 23, 5)
  assert.equal(writtenTime(at, 0), '2026-01-01 23:05 +00:00')
  assert.equal(writtenTime(at, 330), '2026-01-02 04:35 +05:30')
  assert.equal(writtenTime(at, -210), '2026-01-01 19:35 -03:30')
  assert.equal(writtenDay(at, 60, { day }), day('2026-01-02 00:05 +01:00', 5))
  assert.equal(writtenDay(at, 0, { day }), day('2026-01-01 23:05 +00:00', 4))
})

test('shortened: begins and ends as the text does, and counts the lines between', () => {
  assert.equal(shortened('0123456789', 10, 'o1'), '0123456789')
  assert.equal(shortened('0123456789a', 10, null), '012345\n[… 1 lines left out]\n789a')
  assert.equal(shortened('abcdef\n\n\nwxyz', 10, 'o1'), 'abcdef\n[… 4 lines left out; recall_output o1]\nwxyz')
})
