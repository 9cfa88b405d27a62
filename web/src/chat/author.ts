import { isNamelessOwner, ownerNames } from '../../../src/authority/owner-names.ts'
import { currentReader } from '../link/current-reader.ts'
import type { Participant } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'

export function toAuthor({ kind, name, id, role }: Participant, words: PageWords): string {
  if (kind === 'agent') return name === '' ? words.chat.agent : handleName(name)
  const { name: reader, id: readerId } = currentReader
  const isNameless = isNamelessOwner({ name, ...(role && { role }) })
  // Events of 0.1 and the ends of questions name no id.
  const isReader = id !== undefined && readerId !== null ? id === readerId : name === reader
  if (isReader || (isNameless && (reader === null || ownerNames.has(reader)))) return words.chat.you
  return isNameless ? words.chat.theOwner : name
}

/** Agents and accounts are called by short lower-case handles; in a sentence that is a name. */
export const handleName = (handle: string): string => (/^[a-z]+$/.test(handle) ? handle.charAt(0).toUpperCase() + handle.slice(1) : handle)

export const getCloser = (name: string | null, words: PageWords): string => toAuthor({ kind: 'human', name: name ?? '' }, words)
