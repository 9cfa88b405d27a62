import type { Participant } from '../../../src/client/wire.ts'
import type { Words } from '../words/en.ts'

/** The names the server gives to whoever holds its sign-in; other people have names of their own. */
const owners = new Set(['', 'you', 'owner', 'human', 'me', 'web', 'cli'])

export function authorOf({ kind, name }: Participant, words: Words): string {
  if (kind === 'agent') return name === '' ? words.chat.agent : name
  return owners.has(name) ? words.chat.you : name
}

export const closerOf = (name: string | null, words: Words): string => authorOf({ kind: 'human', name: name ?? '' }, words)
