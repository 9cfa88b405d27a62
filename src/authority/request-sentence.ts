import type { Language } from '../shapes/language.ts'
import { type BecauseWords, fill } from './authority-words.ts'
import { becauseSentence } from './because-sentence.ts'
import type { Because } from './decision.ts'
import { isNamelessOwner } from './owner-names.ts'
import type { Role } from './roles.ts'
import { surfaceName } from './surface-name.ts'

export type Request = {
  requesters: readonly { id: string; name: string; role: Role; via?: string }[]
  /** In the language of the dialog; `reason` has the same facts for readers of another one. */
  because: string
  reason?: Because
}

export type RequestWords = BecauseWords & {
  facts: string
  person(name: string, ...facts: readonly string[]): string
  roles: Readonly<Record<Role, string>>
  theOwner: string
}

/** Spelling of names and texts of others on a surface. */
type Writing = { name(name: string): string; text(text: string): string }

/** "Requested by Mia (owner, page) and Eve (guest, Telegram). Reason: …." */
export function requestSentence(
  { requesters, because, reason }: Request,
  words: RequestWords,
  language: Language,
  { name, text }: Writing,
): string {
  const people = requesters.map((one) => {
    const surface = surfaceName(one.via ?? surfaceOfId(one.id), words.surfaces)
    const facts = [...(isNamelessOwner(one) ? [] : [words.roles[one.role]]), ...(surface === '' ? [] : [text(surface)])]
    return words.person(isNamelessOwner(one) ? words.theOwner : name(one.name), ...facts)
  })
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(people)
  const why = text(reason ? becauseSentence(reason, words, language) : because).replace(/[.。]$/, '')
  return fill(words.facts, { people: list || 'Parley', why })
}

/** Ids of people say nothing about where they wrote; those of others begin with their platform. */
const surfaceOfId = (id: string): string => (/^(?:person|plugin|peer|unknown):/.test(id) ? '' : id.replace(/:.*$/s, ''))
