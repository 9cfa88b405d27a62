import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'

/** Work of telling people elsewhere what happened in a dialog. */
export const announceWork = 'announce'

/** True for events that are announced in chats. Messages of side dialogs are not; their questions and failures are. */
export function isWorthTelling({ type }: DialogEvent, { origin }: DialogState): boolean {
  if (
    type.startsWith('question.') ||
    type === 'approval.key-given' ||
    type === 'answer.taken' ||
    type === 'answer.withdrawn' ||
    type === 'turn.failed'
  )
    return true
  return origin === null && (type === 'turn.finished' || type === 'turn.stopped')
}
