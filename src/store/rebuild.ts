import type { NewEvent, Store, StoredEvent, ViewRow } from '../ports/store.ts'
import type { StreamKind } from '../streams/decider.ts'

/** Applies one event of a stream and returns the rows that follow from it. */
type Fold = (stream: string, event: NewEvent) => NonNullable<ReturnType<StreamKind<never, never, never>['consequences']>['rows']>

/** `state` is that after the last event that was folded, `sample` that of the kind. */
export type FoldedKind = { owns(stream: string): boolean; fold: Fold; state(stream: string): unknown; sample: unknown }

/** `owns` says which streams are of this kind. */
export function foldedKind<State, Event extends NewEvent>(
  owns: (stream: string) => boolean,
  kind: StreamKind<State, never, Event>,
): () => FoldedKind {
  return () => {
    const states = new Map<string, State>()
    const fold: Fold = (stream, event) => {
      const typedEvent = event as Event
      const before = states.get(stream) ?? kind.initial
      const state = kind.evolve(before, typedEvent)
      states.set(stream, state)
      return kind.consequences(stream, [typedEvent], state, before).rows ?? []
    }
    return { owns, fold, state: (stream) => states.get(stream), sample: kind.sample }
  }
}

/**
 * Every row of every folded view, from the log alone. The rows in the store must be equal to these: rows are a convenience,
 * never a second truth. Only controls that are long out of date may be missing there, because they are swept.
 */
export async function foldRows(
  store: Store,
  kinds: readonly (() => FoldedKind)[],
  onFolded: (event: StoredEvent, kind: FoldedKind | undefined) => Promise<void> = async () => {},
): Promise<Map<string, ViewRow>> {
  const folded = kinds.map((start) => start())
  const rows = new Map<string, ViewRow>()
  for (let after = 0; ;) {
    const events = await store.readAll(after, 500)
    if (events.length === 0) return rows
    for (const event of events) {
      after = event.position
      const kind = folded.find(({ owns }) => owns(event.stream))
      for (const row of kind?.fold(event.stream, event) ?? []) {
        if (row.body === null) rows.delete(`${row.view}/${row.key}`)
        else rows.set(`${row.view}/${row.key}`, row)
      }
      await onFolded(event, kind)
    }
  }
}
