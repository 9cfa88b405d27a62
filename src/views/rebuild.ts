import type { NewEvent, Store, StoredEvent, ViewRow } from '../ports/store.ts'
import type { StreamKind } from '../streams/decider.ts'
import { buildKind } from './build-kind.ts'
import { dialogKind } from './dialog-kind.ts'

/**
 * Every row of every view, folded from the log alone. What the store holds must be equal to it:
 * rows are a convenience, never a second truth.
 */
export async function foldViews(store: Store): Promise<Map<string, ViewRow>> {
  const rows = new Map<string, ViewRow>()
  const folds = { dlg_: rowsOf(dialogKind), bld_: rowsOf(buildKind) }
  for (let after = 0; ;) {
    const events = await store.readAll(after, 500)
    if (events.length === 0) return rows
    for (const event of events) {
      after = event.position
      const [, fold] = Object.entries(folds).find(([prefix]) => event.stream.startsWith(prefix)) ?? []
      for (const row of fold?.(event) ?? []) {
        if (row.body === null) rows.delete(`${row.view}/${row.key}`)
        else rows.set(`${row.view}/${row.key}`, row)
      }
    }
  }
}

function rowsOf<State, Command, Event extends NewEvent>(kind: StreamKind<State, Command, Event>) {
  const states = new Map<string, State>()
  return (stored: StoredEvent) => {
    const event = stored as unknown as Event
    const state = kind.evolve(states.get(stored.stream) ?? kind.initial, event)
    states.set(stored.stream, state)
    return kind.consequences(stored.stream, [event], state).rows ?? []
  }
}
