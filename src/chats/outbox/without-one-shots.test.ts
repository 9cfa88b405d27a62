import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { withoutOneShots } from './without-one-shots.ts'

const clean = { label: 'Clean up', value: 'clean' }
const link = { label: 'Open', url: 'https://example.org' }
const copy = { label: 'Copy', action: { type: 'copy-text' as const, text: 'df -h' } }
const again = { label: 'Again', value: 'again', reusable: true }
const words = { type: 'text' as const, text: 'Disk' }

const toMessage = (...buttons: (typeof clean | typeof link | typeof copy | typeof again)[]): ReplyPayload => ({
  presentation: { blocks: [words, { type: 'buttons', buttons }] },
})

test('what cannot be used up stays; null only when nothing does', () => {
  assert.deepEqual(withoutOneShots(toMessage(clean, link, copy, again)), toMessage(link, copy, again))
  assert.deepEqual(withoutOneShots(toMessage(clean, link)), toMessage(link))
  assert.deepEqual(withoutOneShots(toMessage(clean, copy)), toMessage(copy))
  assert.equal(withoutOneShots(toMessage(clean)), null)
  assert.equal(withoutOneShots({ text: 'Disk' }), null)
})
