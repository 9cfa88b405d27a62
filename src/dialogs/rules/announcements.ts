import type { DialogEvent } from './events.ts'
import type { DialogState } from './state.ts'

/** Work of telling people elsewhere what happened in a dialog. */
export const announceWork = 'announce'

/** Whether somebody who is not looking at the page has to be told. Side dialogs keep their talk to themselves; their questions do not. */
export function isWorthTelling({ type }: DialogEvent, { origin }: DialogState): boolean {
  if (type.startsWith('question.') || type === 'approval.key-given') return true
  return origin === null && (type === 'turn.finished' || type === 'turn.failed' || type === 'turn.stopped')
}
