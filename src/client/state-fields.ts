import { type DialogState, getStatus } from '../dialogs/rules/dialog-state.ts'
import { ownStop } from '../dialogs/rules/question-view.ts'
import type { DialogView } from './dialog-view.ts'

/** Fields of the view that the state holds already. An unchanged list keeps its identity, so that a page does not draw it again. */
export const stateFields = (dialog: string, state: DialogState, before?: DialogView): Partial<DialogView> => ({
  agent: state.agent,
  language: state.language,
  title: state.title,
  origin: state.origin,
  taskdoc: state.taskdoc,
  model: state.model,
  course: state.course,
  health: state.health,
  pending: before && state.pending === before.fold.pending ? before.pending : pendingViews(state),
  reminders: before && state.reminders === before.fold.reminders ? before.reminders : reminderViews(state),
  stop: ownStop(dialog, state),
  status: getStatus(state),
})

const pendingViews = ({ pending }: DialogState): DialogView['pending'] =>
  Object.values(pending).map(({ tellask, to, agent, session, at }) => ({ tellask, to, agent, session, at }))

const reminderViews = ({ reminders }: DialogState): DialogView['reminders'] =>
  reminders.map(({ reminder, text }) => ({ id: reminder, text }))
