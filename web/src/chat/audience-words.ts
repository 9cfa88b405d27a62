import type { Language, QuestionView } from '../../../src/client/wire.ts'
import type { Reader } from '../link/reader.ts'
import type { Words } from '../words/en.ts'
import { handleName, ownerNames } from './author.ts'

/** Whom a question is for, when it is not the reader; null when it is, or when the reader is not known. */
export function audienceWords(audience: QuestionView['audience'], reader: Reader, words: Words, language: Language): string | null {
  if (reader === null) return null
  if (audience === undefined) return reader.role === 'owner' ? null : words.question.isFor(words.question.theOwner)
  if (audience.kind === 'everyone') return words.question.isFor(words.question.everyone)
  if (audience.names.length === 0 || audience.names.includes(reader.name)) return null
  const names = audience.names.map((name) => (ownerNames.has(name) ? words.question.theOwner : handleName(name)))
  return words.question.isFor(new Intl.ListFormat(language, { type: 'conjunction' }).format(names))
}
