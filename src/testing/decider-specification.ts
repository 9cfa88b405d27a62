import assert from 'node:assert/strict'

type Loose = { type: string; data: object }

/** A `Decider` of any kind of stream, also of one with a catalogue of refusals of its own. */
type SpecifiedDecider<State, Command, Event, Code> = {
  initial: State
  decide(state: State, command: Command): { events: Event[] } | { refused: { code: Code; details?: object } }
  evolve(state: State, event: Event): State
}

/** Tests that read as a sentence: given these events, when this command, then these events (or this refusal). */
export function deciderSpecification<State, Command, Event extends { type: string; data: object }, Code extends string>(
  decider: SpecifiedDecider<State, Command, Event, Code>,
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
            /** `details` are those that matter to the test. */
            thenRefused(code: Code, details: object = {}): void {
              assert.ok('refused' in decision, `not refused: ${JSON.stringify(decision)}`)
              assert.equal(decision.refused.code, code)
              assert.deepEqual({ ...decision.refused.details }, { ...decision.refused.details, ...details })
            },
          }
        },
      }
    },
  }
}
