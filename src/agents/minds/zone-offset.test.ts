import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOffset } from './zone-offset.ts'

test('zoneOffset: minutes ahead of UTC in a zone, with its summer time', () => {
  const winter = Date.UTC(2026, 0, 15, 23, 59, 59)
  const summer = Date.UTC(2026, 6, 15, 12)
  assert.deepEqual(
    ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'].map((zone) => [zoneOffset(winter, zone), zoneOffset(summer, zone)]),
    [
      [0, 0],
      [60, 120],
      [-300, -240],
      [330, 330],
    ],
  )
})

test('zoneOffset: without a zone it is that of the machine', () => {
  const at = Date.UTC(2026, 6, 15)
  assert.equal(zoneOffset(at, undefined), zoneOffset(at, Intl.DateTimeFormat().resolvedOptions().timeZone))
})
