import type { Participant } from '../../../src/client/wire.ts'
import type { Words } from '../words/en.ts'

/** The names the server gives to whoever holds its sign-in; other people have names of their own. */
export const ownerNames: ReadonlySet<string> = new Set(['', 'you', 'owner', 'human', 'me', 'web', 'cli'])

export function authorOf({ kind, name }: Participant, words: Words): string {
  if (kind === 'agent') return name === '' ? words.chat.agent : handleName(name)
  return ownerNames.has(name) ? words.chat.you : name
}

/** Agents and accounts are called by short lower-case handles; in a sentence that is a name. */
export const handleName = (handle: string): string => (/^[a-z]+$/.test(handle) ? handle.charAt(0).toUpperCase() + handle.slice(1) : handle)

export const closerOf = (name: string | null, words: Words): string => authorOf({ kind: 'human', name: name ?? '' }, words)
