import { strangerName } from './owner-names.ts'
import { type Author, lowestRole, type Role } from './roles.ts'

/** One entry of `people:` in parley.yaml. `key` is what it is listed under, `name` is shown; `identities` are ids by platform. */
export type Person = { key: string; name: string; role: Role; identities: readonly { platform: string; id: string }[] }

export type People = readonly Person[]

/**
 * Evidence of who is speaking, as the surfaces collect it. Names are for display and decide nothing.
 *
 * | surface | id | role |
 * |---|---|---|
 * | page | `person:<key>` | the person's; a link made without `--for` is the owner's |
 * | terminal on the server | `person:owner` | owner |
 * | token | `token:<id>` | the token's, only lowered by `x-parley-as` |
 * | private chat | linked person, else `<platform>:<account>:<sender>` | the person's; admitted: guest |
 * | group | the same, for each message and tap | the person's; others, anonymous admins, other organisations: group |
 * | peer, schedule, plugin | `peer:<key>`, the maker, `plugin:<name>` | peer, see `scheduleCause`, guest unless it passes on an author |
 */
export type Evidence =
  | { surface: 'page'; person: string | null }
  | { surface: 'terminal' }
  | { surface: 'token'; id: string; name: string; role: Role; as?: Role }
  /** `isNotifyAddress`: a private `notify` address is the owner's while `people` is empty. */
  | { surface: 'private'; platform: string; account: string; sender: string; name: string; isNotifyAddress?: boolean }
  /** `sender` is null for an anonymous admin; `isForeign` is true for a member of another organisation. */
  | { surface: 'group'; platform: string; account: string; sender: string | null; name: string; isForeign?: boolean }
  | { surface: 'peer'; key: string; name: string }
  | { surface: 'plugin'; name: string; author?: Author }

export const ownerId = 'person:owner'

export function toAuthor(evidence: Evidence, people: People): Author {
  switch (evidence.surface) {
    case 'page': {
      if (evidence.person === null) return { id: ownerId, name: 'owner', role: 'owner' }
      const person = people.find(({ key }) => key === evidence.person)
      return person ? authorOfPerson(person) : { id: `person:${evidence.person}`, name: evidence.person, role: 'guest' }
    }
    case 'terminal':
      return { id: ownerId, name: 'owner', role: 'owner' }
    case 'token':
      return { id: `token:${evidence.id}`, name: evidence.name, role: lowestRole(evidence.role, evidence.as ?? evidence.role) }
    case 'private': {
      const person = getPerson(people, evidence.platform, evidence.sender)
      if (person) return authorOfPerson(person)
      if (evidence.isNotifyAddress && people.length === 0) return { id: ownerId, name: 'owner', role: 'owner' }
      return { id: chatId(evidence, evidence.sender), name: strangerName(evidence.name, people), role: 'guest' }
    }
    case 'group': {
      const person = evidence.sender === null ? null : getPerson(people, evidence.platform, evidence.sender)
      if (person && !evidence.isForeign) return authorOfPerson(person)
      return { id: chatId(evidence, evidence.sender ?? 'anonymous'), name: strangerName(evidence.name, people), role: 'group' }
    }
    case 'peer':
      return { id: `peer:${evidence.key}`, name: strangerName(evidence.name, people), role: 'peer' }
    case 'plugin':
      return evidence.author ?? { id: `plugin:${evidence.name}`, name: evidence.name, role: 'guest' }
  }
}

export function getPerson(people: People, platform: string, sender: string): Person | null {
  return people.find(({ identities }) => identities.some((one) => one.platform === platform && one.id === sender)) ?? null
}

/** The author's role now: the list of people may have changed since the author's text was stored. */
export function currentRole(author: Author, people: People): Role {
  if (author.id === ownerId || !author.id.startsWith('person:')) return author.role
  return people.find(({ key }) => `person:${key}` === author.id)?.role ?? 'guest'
}

/** The terminal is some owner, so it is never a second person beside an owner. */
export function isSamePerson(a: Author, b: Author): boolean {
  if (a.id === b.id) return true
  return (a.id === ownerId && b.role === 'owner') || (b.id === ownerId && a.role === 'owner')
}

export const authorOfPerson = ({ key, name, role }: Person): Author => ({ id: `person:${key}`, name, role })

const chatId = ({ platform, account }: { platform: string; account: string }, sender: string): string => `${platform}:${account}:${sender}`
