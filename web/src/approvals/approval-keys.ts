import type { Words } from '../words/en.ts'
import type { ApprovalDecision } from './approval-texts.ts'

/** What a key does while a card, or something in it that is no text field, has the focus. */
export type ApprovalAction = ApprovalDecision | 'denyWithNote'

const actions: Readonly<Record<string, ApprovalAction>> = { a: 'once', c: 'chat', A: 'always', d: 'deny', n: 'denyWithNote' }

/** For `aria-keyshortcuts`. */
export const shortcuts: Readonly<Record<ApprovalAction, string>> = {
  once: 'A',
  chat: 'C',
  always: 'Shift+A',
  deny: 'D',
  denyWithNote: 'N',
}

export function actionOfKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): ApprovalAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  // With caps lock on, a plain letter arrives as a capital; only Shift asks for "always".
  const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key
  return actions[key] ?? null
}

/** For the list of keyboard shortcuts. */
export const shortcutRows = ({ approval: { actions: labels } }: Words): [string, string][] =>
  (Object.keys(shortcuts) as ApprovalAction[]).map((action) => [shortcuts[action], labels[action]])
