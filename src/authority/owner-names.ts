import type { People } from './people.ts'
import type { Role } from './roles.ts'

/** Names that surfaces give to the owner, or with which the page speaks of its reader. */
export const ownerNames: ReadonlySet<string> = new Set(['', 'you', 'owner', 'human', 'me', 'web', 'cli'])

/** The same in texts. */
const ownerWords: ReadonlySet<string> = new Set(['the owner', '您', '你', '所有者'])

/**
 * The name of a person who is not listed, as texts show it. A name that belongs to the owner or to a listed person is put in
 * quotation marks, so that its bearer does not pass for them.
 */
export function strangerName(name: string, people: People): string {
  const plain = toPlain(name)
  const isTaken =
    ownerNames.has(plain) ||
    ownerWords.has(plain) ||
    people.some((person) => plain === toPlain(person.key) || plain === toPlain(person.name))
  return isTaken ? `“${name}”` : name
}

const toPlain = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toLowerCase()

/**
 * The owner without an entry in `people`, to whom the server gives one of a few names. Events of 0.1 and the ends of questions
 * have no role.
 */
export const isNamelessOwner = ({ name, role = 'owner' }: { name: string; role?: Role }): boolean =>
  role === 'owner' && ownerNames.has(name)
