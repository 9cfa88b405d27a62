import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlug, markers, tellaskLimits, withMarker, withoutMarker } from './tellask.ts'

test('what marks a reply for its agent is not shown to people; everything else is', () => {
  for (const marker of Object.values(markers)) assert.equal(withoutMarker(withMarker('It is done.', [marker])), 'It is done.', marker)
  for (const text of ['It is done.', 'See 【最终完成】', '【'.repeat(3), `【${'long'.repeat(10)}】 x`, ''])
    assert.equal(withoutMarker(text), text)
})

test('isSlug: letters, digits, - and _ in parts, up to the limit', () => {
  for (const slug of ['a', 'Work-1', 'a.b_2', 'x'.repeat(tellaskLimits.slugChars)]) assert.equal(isSlug(slug), true, slug)
  for (const slug of ['', '1a', 'a.', 'a b', 'x'.repeat(tellaskLimits.slugChars + 1)]) assert.equal(isSlug(slug), false, slug)
})
