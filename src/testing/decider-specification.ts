import assert from 'node:assert/strict'
import type { Refusal } from '../errors.ts'
import type { Decider } from '../streams/decider.ts'

type Loose = { type: string; data: object }

/** Tests that read as a sentence: given these events, when this command, then these events (or this refusal). */
export function deciderSpecification<State, Command, Event extends { type: string; data: object }>(
  decider: Decider<State, Command, Event>,
) {
  return {
    given: (...events: Event[]) => {
      const state = events.reduce(decider.evolve, decider.initial)
      return {
        state,
        when: (command: Command) => {
          const decision = decider.decide(state, command)
          return {
            then(...expected: Loose[]): void {
              assert.ok('events' in decision, `refused: ${JSON.stringify(decision)}`)
              assert.deepEqual(
                decision.events.map(({ type, data }) => ({ type, data })),
                expected,
              )
            },
            thenTypes(...expected: Event['type'][]): void {
              assert.ok('events' in decision, `refused: ${JSON.stringify(decision)}`)
              assert.deepEqual(
                decision.events.map(({ type }) => type),
                expected,
              )
            },
            thenRefused(code: Refusal['code']): void {
              assert.ok('refused' in decision, `not refused: ${JSON.stringify(decision)}`)
              assert.equal(decision.refused.code, code)
            },
          }
        },
      }
    },
  }
}
