import type { Refusal } from '../errors.ts'
import type { Unit } from '../ports/store.ts'

/** The rules of one kind of stream, pure: what follows from a wish, and what a fact changes. */
export type Decider<State, Command, Event> = {
  initial: State
  decide(state: State, command: Command): { events: Event[] } | { refused: Refusal }
  evolve(state: State, event: Event): State
}

/** What must be written together with the events: work to wake or cancel, rows of views. */
export type Consequences = Pick<Unit, 'wake' | 'cancel' | 'rows'>

/** One kind of stream as the handler needs it. */
export type StreamKind<State, Command, Event> = Decider<State, Command, Event> & {
  consequences(stream: string, events: readonly Event[], after: State): Consequences
  /** Raised whenever `State` changes its shape, so that older snapshots are left aside. */
  snapshotVersion: number
  /** Roughly how many characters a state holds; bounds the cache. */
  weigh(state: State): number
}
