import { hasInvisible } from '../visible-text.ts'
import type { Unsure } from './unsure.ts'

/** Bounds within which the parser answers in a few milliseconds; 20 kB of `{` take it 4 s. */
export const commandLimits = { chars: 4_000, ofOneBracket: 200, nestedShells: 3, wrappers: 8, subjects: 500 } as const

const brackets = ['{', '(', '$', '<'] as const

/** The reason why a command is not parsed at all; null when it may be. Linear in the length of the command. */
export function commandFault(command: string): Unsure | null {
  if (command.length > commandLimits.chars) return { why: 'too-long', detail: String(command.length) }
  for (const bracket of brackets)
    if (count(command, bracket) > commandLimits.ofOneBracket) return { why: 'too-many-brackets', detail: bracket }
  return hasInvisible(command) ? { why: 'invisible-characters' } : null
}

function count(text: string, char: string): number {
  let faultCount = 0
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) faultCount += 1
  return faultCount
}
