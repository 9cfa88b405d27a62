import { announceWork, isWorthTelling } from '../dialog/announcements.ts'
import { decide, type DialogCommand } from '../dialog/decide.ts'
import type { DialogEvent } from '../dialog/events.ts'
import { evolve } from '../dialog/evolve.ts'
import { followUps } from '../dialog/follow-ups.ts'
import { type DialogState, initialDialog } from '../dialog/state.ts'
import type { StreamKind } from '../streams/decider.ts'
import { rowsFor } from './dialog-views.ts'

/** A dialog as the stream handler runs it: its rules, what follows from its events, and its rows. */
export const dialogKind: StreamKind<DialogState, DialogCommand, DialogEvent> = {
  initial: initialDialog,
  decide,
  evolve,
  consequences: (dialog, events, after) => ({ ...followUps(dialog, events, after), rows: rowsFor(dialog, events, after) }),
  snapshotVersion: 4,
  weigh: (state) => 1_000 + state.contextChars + shownChars(state),
}

/** The same, where people elsewhere are told what happens: each thing worth telling wakes the work that does it. */
export const toldDialogKind = (isTold: () => boolean): typeof dialogKind => ({
  ...dialogKind,
  consequences(dialog, events, after) {
    const all = dialogKind.consequences(dialog, events, after)
    if (!isTold() || !events.some((event) => isWorthTelling(event, after))) return all
    return { ...all, wake: [...(all.wake ?? []), { kind: announceWork, key: dialog, at: events.at(-1)?.at ?? 0 }] }
  },
})

const shownChars = ({ questions }: DialogState): number =>
  Object.values(questions).reduce((sum, { approval }) => sum + (approval?.shown.text.length ?? 0), 0)
