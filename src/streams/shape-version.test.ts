import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shapeVersion } from './shape-version.ts'

const state = { title: '', questions: { q: { seq: 1, by: 'ada' } }, latch: { at: 1 }, crashes: [1] }

test('shapeVersion: other values and another order of fields give the same version', () => {
  const other = { crashes: [2, 3], latch: { at: 9 }, questions: { q: { by: 'ben', seq: 2 } }, title: 'Rome' }
  assert.equal(shapeVersion(other), shapeVersion(state))
  assert.ok(Number.isSafeInteger(shapeVersion(state)) && shapeVersion(state) > 0)
})

for (const [change, changed] of Object.entries({
  'a new field': { ...state, course: 1 },
  'a field less': { title: '', questions: state.questions, latch: state.latch },
  'another type': { ...state, title: 1 },
  'a new field of an entry': { ...state, questions: { q: { seq: 1, by: 'ada', call: null } } },
  'another type of a list': { ...state, crashes: ['1'] },
}))
  test(`shapeVersion: ${change} gives another version`, () => assert.notEqual(shapeVersion(changed), shapeVersion(state)))
