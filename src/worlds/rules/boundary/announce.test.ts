import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAnnounced, isAnnounceSkip, readAnnouncement } from './announce.ts'

test('isAnnounceSkip: only the whole output is the token', () => {
  for (const output of ['ANNOUNCE_SKIP', ' ANNOUNCE_SKIP\n']) assert.equal(isAnnounceSkip(output), true, output)
  for (const output of ['`ANNOUNCE_SKIP`', 'ANNOUNCE_SKIP.', 'announce_skip', 'I say ANNOUNCE_SKIP', 'ANNOUNCE_SKIP\nMira agreed.', ''])
    assert.equal(isAnnounceSkip(output), false, output)
})

test('isAnnounced: only skip leaves the main agent asleep', () => {
  assert.deepEqual((['required', 'default', 'skip'] as const).map(isAnnounced), [true, true, false])
})

test('readAnnouncement: never shows the token to a person', () => {
  for (const output of ['ANNOUNCE_SKIP\nMira agreed.', 'Mira agreed.\nANNOUNCE_SKIP', 'Mira agreed. ANNOUNCE_SKIP'])
    assert.deepEqual(readAnnouncement(output, 'default'), { kind: 'say', text: 'Mira agreed.' }, output)
})

test('readAnnouncement: a required announcement cannot be skipped', () => {
  assert.deepEqual(readAnnouncement('ANNOUNCE_SKIP', 'skip'), { kind: 'skip' })
  assert.deepEqual(readAnnouncement('ANNOUNCE_SKIP', 'default'), { kind: 'skip' })
  assert.deepEqual(readAnnouncement('ANNOUNCE_SKIP', 'required'), { kind: 'report' })
  assert.deepEqual(readAnnouncement('', 'default'), { kind: 'report' })
})
