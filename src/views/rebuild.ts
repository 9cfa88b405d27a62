import type { DialogEvent } from '../dialog/events.ts'
import type { DialogState } from '../dialog/state.ts'
import type { Store, ViewRow } from '../ports/store.ts'
import { dialogKind } from './dialog-kind.ts'

/**
 * Every row of every view, folded from the log alone. What the store holds must be equal to it:
 * rows are a convenience, never a second truth.
 */
export async function foldViews(store: Store): Promise<Map<string, ViewRow>> {
  const states = new Map<string, DialogState>()
  const rows = new Map<string, ViewRow>()
  for (let after = 0; ;) {
    const events = await store.readAll(after, 500)
    if (events.length === 0) return rows
    for (const event of events) {
      after = event.position
      if (!event.stream.startsWith('dlg_')) continue
      const known = event as unknown as DialogEvent
      const state = dialogKind.evolve(states.get(event.stream) ?? dialogKind.initial, known)
      states.set(event.stream, state)
      for (const row of dialogKind.consequences(event.stream, [known], state).rows ?? []) {
        if (row.body === null) rows.delete(`${row.view}/${row.key}`)
        else rows.set(`${row.view}/${row.key}`, row)
      }
    }
  }
}
