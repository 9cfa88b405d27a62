import { isSamePerson, ownerId } from '../authority/people.ts'
import type { Policy } from '../authority/policy.ts'
import type { Author } from '../authority/roles.ts'
import { notifiedFirst, notifiedLater } from '../chats/announce/approval-waves.ts'
import type { OpenQuestion } from '../dialogs/rules/dialog-state.ts'

/**
 * Whether a person is notified of an open question. The role is that of this moment.
 *
 * | question              | at once                                              | later                      |
 * |-----------------------|------------------------------------------------------|----------------------------|
 * | approval              | those whom its rule names, else all who may decide   | those named for `escalate` |
 * | to its authors        | them; with `notifyFor: all` owners too               | –                          |
 * | to everyone           | those who caused it; with `notifyFor: all` owners too | –                          |
 * | to the owner          | owners                                               | –                          |
 */
export function isNotified(reader: Author, open: OpenQuestion, policy: Policy, isLater = false): boolean {
  const { approval, audience, cause } = open
  if (approval) return (isLater ? notifiedLater : notifiedFirst)(open, policy).some((one) => isSamePerson(one, reader))
  if (isLater) return false
  if (audience.kind === 'owner' || policy.notifyFor === 'all') if (reader.role === 'owner') return true
  if (audience.kind === 'owner') return false
  const authors = cause?.by ?? []
  const ids = audience.kind === 'authors' ? audience.ids : authors.map(({ id }) => id)
  if (ids.includes(reader.id) || (reader.role === 'owner' && ids.includes(ownerId))) return true
  return authors.some((author) => ids.includes(author.id) && isSamePerson(author, reader))
}

/** Builds belong to the person who started them; those of a program to the owner. */
export const isNotifiedOfBuild = (reader: Author, opener: Author | null): boolean =>
  opener === null || !opener.id.startsWith('person:') ? reader.role === 'owner' : isSamePerson(opener, reader)
