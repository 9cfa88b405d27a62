import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxItem } from '../../../src/shapes/wire.ts'
import { withOpen } from './leaving-rows.ts'

const knock = (address: string, code: string): InboxItem => ({
  kind: 'pairing',
  pairing: {
    channel: 'telegram',
    address,
    state: 'requested',
    dialog: null,
    pairing: { code, from: { id: address, name: 'Mia' }, text: '', requestedAt: 1, expiresAt: 2 },
  },
})

test('what no longer waits stays where it is for a while, and what is new comes first', () => {
  const first = withOpen([], [knock('1', '111111'), knock('2', '222222')], 10)
  const second = withOpen(first, [knock('3', '333333'), knock('2', '222222')], 20)
  assert.deepEqual(
    second.map(({ key, goneAt }) => [key, goneAt]),
    [
      ['telegram 3 333333', null],
      ['telegram 1 111111', 20],
      ['telegram 2 222222', null],
    ],
  )
  assert.equal(withOpen(second, [], 30)[1]?.goneAt, 20, 'the moment it went does not move')
})

test('an item that comes back waits again', () => {
  const gone = withOpen(withOpen([], [knock('1', '111111')], 10), [], 20)
  assert.equal(withOpen(gone, [knock('1', '111111')], 30)[0]?.goneAt, null)
  assert.equal(withOpen(gone, [knock('1', '999999')], 30).length, 2, 'another code is another request')
})
