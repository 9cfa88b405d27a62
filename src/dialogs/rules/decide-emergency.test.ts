import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideEmergency, type EmergencyCommand } from './decide-emergency.ts'
import { evolveEmergency, initialEmergency } from './emergency-state.ts'
import { owner } from './test/dialog-facts.ts'

/** Whether the stop is in force after each command. A command that is missing here does not compile. */
const isInForce = { 'set-emergency': true, 'lift-emergency': false } satisfies Record<EmergencyCommand['type'], boolean>
const types = Object.keys(isInForce) as EmergencyCommand['type'][]

test('emergency: in any order the last command counts, and one that changes nothing leaves no event', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...types), { maxLength: 12 }), (list) => {
      let state = initialEmergency
      for (const [index, type] of list.entries()) {
        const wasInForce = state.stop !== null
        const decision = decideEmergency(state, { type, at: index + 1, by: owner, via: 'web' })
        assert.ok('events' in decision)
        assert.equal(decision.events.length, wasInForce === isInForce[type] ? 0 : 1)
        state = decision.events.reduce(evolveEmergency, state)
        assert.equal(state.stop !== null, isInForce[type])
        if (!wasInForce && state.stop) assert.deepEqual(state.stop, { by: 'mia', at: index + 1 })
      }
    }),
  )
})
