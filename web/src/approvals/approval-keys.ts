import type { PageWords } from '../../../src/words/en/page.ts'
import type { ApprovalDecision } from './approval-texts.ts'

export type ApprovalAction = ApprovalDecision | 'denyWithNote'

/**
 * Actions of keys while a card, or a part of it that is no text field, has the focus. No key makes a grant at once, and none has
 * another meaning outside of the card: `c` goes to the message field and `n` to a new chat everywhere.
 */
const actions: Readonly<Record<string, ApprovalAction>> = { a: 'once', A: 'always', d: 'deny' }

/** For `aria-keyshortcuts`. */
export const shortcuts: Readonly<Partial<Record<ApprovalAction, string>>> = { once: 'A', always: 'Shift+A', deny: 'D' }

export function actionOfKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): ApprovalAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  // With caps lock on, a plain letter arrives as a capital; only Shift asks for "always".
  const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key
  return actions[key] ?? null
}

/** For the list of keyboard shortcuts. */
export const shortcutRows = ({ approval: { actions: labels } }: PageWords): [string, string][] =>
  (Object.entries(shortcuts) as [ApprovalAction, string][]).map(([action, key]) => [key, labels[action]])
