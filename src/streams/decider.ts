import type { Refusal } from '../errors.ts'
import type { Unit } from '../ports/store.ts'

/** The rules of one kind of stream, pure: the events that follow from a command, and the state after an event. */
export type Decider<State, Command, Event> = {
  initial: State
  decide(state: State, command: Command): { events: Event[] } | { refused: Refusal }
  evolve(state: State, event: Event): State
  /** Both in one, where a kind remembers what it has decided. */
  apply?(state: State, command: Command): { events: Event[]; state: State } | { refused: Refusal }
}

/** Written in the same commit as the events: work to wake or cancel, rows of views, sums. */
export type Consequences = Pick<Unit, 'wake' | 'cancel' | 'rows' | 'sums'>

/** One kind of stream as the handler needs it. */
export type StreamKind<State, Command, Event> = Decider<State, Command, Event> & {
  /** `before` and `after` are the states around these events: a row that is the same in both need not be written. */
  consequences(stream: string, events: readonly Event[], after: State, before: State): Consequences
  /** A state in which every list and record has an entry. A snapshot of another shape is ignored. */
  sample: State
  /** Roughly how many characters a state holds; bounds the cache. */
  weigh(state: State): number
}
