import { commitCommand } from '../rules/apply-command.ts'
import { announceWork, isWorthTelling } from '../rules/announcements.ts'
import { decideDialog, type DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import { evolveDialog } from '../rules/evolve-dialog.ts'
import { dialogSample } from '../rules/dialog-sample.ts'
import { followUps } from '../rules/follow-ups.ts'
import { type DialogState, initialDialog } from '../rules/dialog-state.ts'
import { weighPrompt } from '../rules/prompt/prompt-size.ts'
import type { StreamKind } from '../../streams/decider.ts'
import { budgetSums } from './budget-rows.ts'
import { rowsFor } from './dialog-rows.ts'

/** A dialog as the stream handler runs it: its rules, what follows from its events, and its rows. */
export const dialogKind: StreamKind<DialogState, DialogCommand, DialogEvent> = {
  initial: initialDialog,
  decide: decideDialog,
  evolve: evolveDialog,
  apply: commitCommand,
  consequences: (dialog, events, after, before) => ({
    ...followUps(dialog, events, after, before),
    rows: rowsFor(dialog, events, after, before),
  }),
  sample: dialogSample,
  weigh: (state) => 1_000 + state.contextChars + shownChars(state) + promptChars(state),
}

/** The same, with the sums of budgets. Days are those of this time zone. */
export const countedKind = (kind: typeof dialogKind, timeZone: string): typeof dialogKind => ({
  ...kind,
  consequences(dialog, events, after, before) {
    const all = kind.consequences(dialog, events, after, before)
    const sums = budgetSums(dialog, events, after, timeZone)
    return sums.length > 0 ? { ...all, sums } : all
  },
})

/** The same, where people elsewhere are told what happens: each thing worth telling wakes the work that does it. */
export const toldDialogKind = (isTold: () => boolean): typeof dialogKind => ({
  ...dialogKind,
  consequences(dialog, events, after, before) {
    const all = dialogKind.consequences(dialog, events, after, before)
    if (!isTold() || !events.some((event) => isWorthTelling(event, after))) return all
    return { ...all, wake: [...(all.wake ?? []), { kind: announceWork, key: dialog, at: events.at(-1)?.at ?? 0 }] }
  },
})

/** The list itself, and what stands before it. */
const promptChars = ({ prompt, language, reply }: DialogState): number => (prompt ? weighPrompt(prompt, language) : 0) + reply.wordChars

const shownChars = ({ questions }: DialogState): number =>
  Object.values(questions).reduce((sum, { approval }) => sum + (approval?.shown.text.length ?? 0), 0)
