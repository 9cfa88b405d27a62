import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBytes, describeFile } from './message-file.ts'

test('describeFile: name, size of an image, type and bytes', () => {
  const png = { name: 'plan.png', mediaType: 'image/png', bytes: 120_400 }
  assert.equal(describeFile({ ...png, width: 640, height: 480 }), '[image plan.png, 640×480, image/png, 120 kB]')
  assert.equal(describeFile({ ...png, width: 640 }), '[image plan.png, image/png, 120 kB]')
  assert.equal(describeFile({ ...png, height: 480 }), '[image plan.png, image/png, 120 kB]')
  assert.equal(describeFile({ name: 'a.pdf', mediaType: 'application/pdf', bytes: 1 }), '[file a.pdf, application/pdf, 1 B]')
})

test('describeBytes: the unit changes at a thousand and at a million', () => {
  assert.deepEqual([0, 999, 1_000, 999_499, 1_000_000, 2_450_000].map(describeBytes), [
    '0 B',
    '999 B',
    '1 kB',
    '999 kB',
    '1.0 MB',
    '2.5 MB',
  ])
})
