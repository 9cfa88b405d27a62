import { messageLimits } from './message-limits.ts'

/** A tap as an agent reads it: the words on the button, and what it stands for where that is not the same. */
export function toTapText(label: string, value: string): string {
  const valueText = toOneLine(value)
  return valueText === '' || valueText === toOneLine(label) ? label : `${label}\n[button: ${valueText}]`
}

/** Names come from senders and values from agents. Neither may end its line and pass for another author. */
export const toOneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Cf}[\]]+/gu, ' ')
    .trim()
    .slice(0, messageLimits.lineChars)
    .toWellFormed()
