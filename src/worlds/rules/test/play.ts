import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Decision, Timed } from '../decision.ts'

type Decider<State, Command, Event> = {
  initial: State
  decide(state: State, command: Timed<Command>): Decision<Event>
  evolve(state: State, event: Event): State
}

export type Step<State, Command, Event> = { before: State; command: Timed<Command>; events: Event[] | null; after: State }

/** Commands of every type with these fields. `fit` may put in values that follow from the state. */
export function generateCommands<Command extends { type: string }>(
  fields: { [Type in Command['type']]: Record<string, fc.Arbitrary<unknown>> },
  weights: Partial<Record<Command['type'], number>> = {},
): fc.Arbitrary<Timed<Command>[]> {
  const one = fc.oneof(
    ...Object.entries<Record<string, fc.Arbitrary<unknown>>>(fields).map(([type, data]) => ({
      weight: weights[type as Command['type']] ?? 2,
      arbitrary: fc.record({ type: fc.constant(type), ...data }),
    })),
  )
  // Through JSON, because generated objects may have no prototype and would differ from what a store gives.
  return fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3_600_000 }), one), { minLength: 1, maxLength: 60, size: 'max' })
    .map((list) => list.map(([at, rest], index) => JSON.parse(JSON.stringify({ ...rest, at: index * 3_600_000 + at })) as Timed<Command>))
}

/** Plays histories and checks that deciding is total and pure, and that a fold from zero gives the same state. */
export function checkDecider<State extends { seq: number }, Command, Event>(
  { initial, decide, evolve }: Decider<State, Command, Event>,
  commands: fc.Arbitrary<Timed<Command>[]>,
  holds: (steps: Step<State, Command, Event>[]) => void,
  fit: (state: State, command: Timed<Command>) => Timed<Command> = (_, command) => command,
): void {
  let accepted = 0
  const play = (list: readonly Timed<Command>[]): Step<State, Command, Event>[] => {
    let state = initial
    return list.map((each) => {
      const before = state
      const copy = structuredClone(before)
      const command = fit(before, each)
      const decision = decide(before, command)
      assert.deepEqual(decide(before, command), decision)
      assert.deepEqual(before, copy)
      if ('refused' in decision) return { before, command, events: null, after: before }
      accepted += decision.events.length
      state = decision.events.reduce(evolve, before)
      return { before, command, events: decision.events, after: state }
    })
  }
  const property = fc.property(commands, (list) => {
    const steps = play(list)
    const events = steps.flatMap((step) => step.events ?? [])
    const last = steps.at(-1)?.after ?? initial
    assert.deepEqual(events.reduce(evolve, initial), last)
    assert.equal(last.seq, events.length)
    assert.deepEqual(JSON.parse(JSON.stringify(last)), last)
    holds(steps)
  })
  fc.assert(property, { numRuns: 200 })
  assert.ok(accepted > 500, `only ${accepted} events were made`)
}
