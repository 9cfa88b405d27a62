import { currentReader } from '../link/current-reader.ts'
import type { Participant } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'

/** Names the server gives to the signed-in owner; other people have their own. */
export const ownerNames: ReadonlySet<string> = new Set(['', 'you', 'owner', 'human', 'me', 'web', 'cli'])

export function toAuthor({ kind, name }: Participant, words: PageWords): string {
  if (kind === 'agent') return name === '' ? words.chat.agent : handleName(name)
  const { name: reader } = currentReader
  const isOwner = ownerNames.has(name)
  if (name === reader || (isOwner && (reader === null || ownerNames.has(reader)))) return words.chat.you
  return isOwner ? words.chat.theOwner : name
}

/** Agents and accounts are called by short lower-case handles; in a sentence that is a name. */
export const handleName = (handle: string): string => (/^[a-z]+$/.test(handle) ? handle.charAt(0).toUpperCase() + handle.slice(1) : handle)

export const getCloser = (name: string | null, words: PageWords): string => toAuthor({ kind: 'human', name: name ?? '' }, words)
