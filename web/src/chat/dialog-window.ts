import { earlierView } from '../../../src/client/earlier-view.ts'
import { type DialogView, emptyView, viewOfAll } from '../../../src/client/index.ts'
import type { DialogDetail, EventView } from '../../../src/shapes/wire.ts'

/** The last part of a dialog's log, and where it begins. A long dialog is never read from its start. */
export type DialogWindow = { detail: DialogDetail; start: number; events: readonly EventView[] }

/** Enough for fifty messages with what happens around them; a turn is never longer. */
export const windowEvents = 300

export const getWindow = (detail: DialogDetail): DialogWindow => ({ detail, start: Math.max(0, detail.head - windowEvents), events: [] })

/** Questions and work from before the window come from the detail: they count, although their items are not loaded. */
export function firstView({ detail, start }: DialogWindow): DialogView {
  return start === 0 ? emptyView : earlierView(detail, start)
}

/** Folds a window anew, after earlier events were put before it. */
export function viewOfWindow(window: DialogWindow): DialogView {
  const view = viewOfAll(firstView(window), window.events)
  // A question of the detail that was asked inside the window is there twice: the log's own counts.
  return view.questions.some(({ seq }) => seq === 0) ? { ...view, questions: withoutTwins(view.questions) } : view
}

export function withoutTwins(questions: DialogView['questions']): DialogView['questions'] {
  const placed = new Set(questions.filter(({ seq }) => seq > 0).map(({ id }) => id))
  return questions.filter(({ id, seq }) => seq > 0 || !placed.has(id))
}
