import type { DialogEvent } from './events.ts'
import type { DialogState } from './state.ts'

/** Work of telling people elsewhere what happened in a dialog. */
export const announceWork = 'announce'

/** Whether somebody who is not looking at the page has to be told. Side dialogs keep their talk to themselves; their questions do not. */
export function isWorthTelling(event: DialogEvent, { origin }: DialogState): boolean {
  switch (event.type) {
    case 'question.asked':
    case 'question.answered':
    case 'question.declined':
    case 'question.cancelled':
    case 'question.expired':
      return true
    case 'turn.finished':
    case 'turn.failed':
    case 'turn.stopped':
      return origin === null
    default:
      return false
  }
}
