import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markers, withMarker, withoutMarker } from './tellask.ts'

test('what marks a reply for its agent is not shown to people; everything else is', () => {
  for (const marker of Object.values(markers)) assert.equal(withoutMarker(withMarker('It is done.', [marker])), 'It is done.', marker)
  for (const text of ['It is done.', 'See 【最终完成】', '【'.repeat(3), `【${'long'.repeat(10)}】 x`, ''])
    assert.equal(withoutMarker(text), text)
})
