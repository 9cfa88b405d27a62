import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wires } from '../../src/agents/wires/wire.ts'
import { checkReplay } from './check-replay.ts'
import { runtimeExpectations } from './expectations.ts'
import { behaviours, isSayable } from './replay.ts'

for (const wire of wires)
  describe(`model behaviours in the wire ${wire}`, () => {
    for (const line of behaviours) if (isSayable(line, wire)) test(line.id, () => checkReplay(line, wire).then(() => undefined))
  })

test('every line can be said in at least one wire, and every expectation has its line', () => {
  const ids = behaviours.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    behaviours.filter((line) => !wires.some((wire) => isSayable(line, wire))).map(({ id }) => id),
    [],
  )
  assert.deepEqual(
    Object.keys(runtimeExpectations).filter((id) => !ids.includes(id)),
    [],
  )
})
