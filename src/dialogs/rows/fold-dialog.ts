import type { StoredEvent, Unit } from '../../ports/store.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { dialogKind } from './dialog-kind.ts'

export type FoldedDialog = { state: DialogState; rows: Map<string, NonNullable<Unit['rows']>[number]> }

/** The state of a dialog and every row that follows from its events. With `from`, these events follow those that it was folded from. */
export function foldDialog(
  dialog: string,
  log: readonly StoredEvent[],
  { state, rows }: FoldedDialog = { state: dialogKind.initial, rows: new Map() },
): FoldedDialog {
  for (const event of log) {
    const before = state
    const typedEvent = event as unknown as DialogEvent
    state = dialogKind.evolve(before, typedEvent)
    for (const row of dialogKind.consequences(dialog, [typedEvent], state, before).rows ?? []) rows.set(`${row.view}/${row.key}`, row)
  }
  return { state, rows }
}
