import { sessionView } from './access/sessions.ts'
import { upgradeView } from './access/upgrade-mark.ts'
import { deliveryKind, deliveryStream } from './delivery/delivery-kind.ts'
import { deliveryViews } from './delivery/delivery-rows.ts'
import { bindingKind, bindingStream, inboundViews } from './inbound/binding-kind.ts'
import { announceViews } from './messaging/announce-views.ts'
import { documentKind, documentStream, documentView } from './plugins/documents.ts'
import type { NewEvent, Store, ViewRow } from './ports/store.ts'
import type { StreamKind } from './streams/decider.ts'
import { runningView } from './streams/running-mark.ts'
import { buildKind, isBuildStream } from './views/build-kind.ts'
import { buildView } from './views/build-views.ts'
import { dialogKind } from './views/dialog-kind.ts'
import { approvalRowView, builderView, dialogView, grantView, questionView, sideView } from './views/dialog-views.ts'
import { addressedView, ownBuildView, ownDialogView } from './views/own-views.ts'

/** Views whose every row follows from the log. */
export const foldedViews: readonly string[] = [
  dialogView,
  builderView,
  sideView,
  questionView,
  grantView,
  approvalRowView,
  ownDialogView,
  ownBuildView,
  addressedView,
  buildView,
  ...Object.values(deliveryViews),
  ...Object.values(inboundViews),
  documentView,
]

/**
 * Views that no event makes anew: how far a piece of work has come, which browsers are signed in, what was said once. A rebuild of the others
 * leaves these as they are. Without the first a dialog is told to people again from its start, under the same names, so that nothing is sent twice.
 */
export const bookkeepingViews: readonly string[] = [...Object.values(announceViews), runningView, sessionView, upgradeView]

/** Folds one stream after the other event, and gives the rows that follow from it. */
type Fold = (stream: string, event: NewEvent) => NonNullable<ReturnType<StreamKind<never, never, never>['consequences']>['rows']>

function folding<State, Event extends NewEvent>(kind: StreamKind<State, never, Event>): Fold {
  const states = new Map<string, State>()
  return (stream, event) => {
    const known = event as Event
    const state = kind.evolve(states.get(stream) ?? kind.initial, known)
    states.set(stream, state)
    return kind.consequences(stream, [known], state).rows ?? []
  }
}

const begins =
  (prefix: string) =>
  (stream: string): boolean =>
    stream.startsWith(prefix)

/**
 * Every row of every folded view, from the log alone. What the store holds must be equal to it: rows are a convenience,
 * never a second truth. Only controls that are long out of date may be missing there, because they are swept.
 */
export async function foldViews(store: Store): Promise<Map<string, ViewRow>> {
  const kinds: readonly { isOne: (stream: string) => boolean; fold: Fold }[] = [
    { isOne: begins('dlg_'), fold: folding(dialogKind) },
    { isOne: isBuildStream, fold: folding(buildKind) },
    { isOne: begins(deliveryStream('')), fold: folding(deliveryKind) },
    { isOne: begins(bindingStream('', '').slice(0, -1)), fold: folding(bindingKind) },
    { isOne: begins(documentStream('', '').slice(0, -1)), fold: folding(documentKind) },
  ]
  const rows = new Map<string, ViewRow>()
  for (let after = 0; ;) {
    const events = await store.readAll(after, 500)
    if (events.length === 0) return rows
    for (const event of events) {
      after = event.position
      const kind = kinds.find(({ isOne }) => isOne(event.stream))
      for (const row of kind?.fold(event.stream, event) ?? []) {
        if (row.body === null) rows.delete(`${row.view}/${row.key}`)
        else rows.set(`${row.view}/${row.key}`, row)
      }
    }
  }
}
