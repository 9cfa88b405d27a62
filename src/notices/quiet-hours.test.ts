import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietUntil } from './quiet-hours.ts'

const night = { from: '22:00', to: '07:00' }
const at = (time: string): number => Date.parse(`2026-11-18T${time}:30Z`)
const until = (time: string, quiet = night, timeZone = 'UTC'): string | null => {
  const end = quietUntil(quiet, timeZone, at(time))
  return end === null ? null : new Date(end).toISOString().slice(8, 16)
}

test('quietUntil: the night ends in the morning, on both sides of midnight', () => {
  assert.deepEqual(
    ['21:59', '22:00', '23:30', '00:00', '06:59', '07:00', '12:00'].map((time) => until(time)),
    [null, '19T07:00', '19T07:00', '18T07:00', '18T07:00', null, null],
  )
})

test('quietUntil: hours of one day, and of the time zone of the reader', () => {
  assert.equal(until('12:30', { from: '12:00', to: '14:00' }), '18T14:00')
  assert.equal(until('14:00', { from: '12:00', to: '14:00' }), null)
  assert.equal(until('16:10', night, 'Asia/Shanghai'), '18T23:00')
  assert.equal(until('10:00', night, 'Asia/Shanghai'), null)
})

test('quietUntil: equal times and no setting mean no quiet hours', () => {
  assert.equal(until('08:00', { from: '08:00', to: '08:00' }), null)
  assert.equal(quietUntil(null, 'UTC', at('23:00')), null)
})
