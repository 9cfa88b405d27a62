import type { Language, QuestionView } from '../../../src/shapes/wire.ts'
import type { Reader } from '../link/reader.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { isNamelessOwner } from '../../../src/authority/owner-names.ts'

/** The people a question is for; null when it is for the reader, or when the reader is unknown. */
export function audienceWords(audience: QuestionView['audience'], reader: Reader, words: PageWords, language: Language): string | null {
  if (reader === null) return null
  if (audience === undefined) return reader.role === 'owner' ? null : words.question.isFor(words.question.theOwner)
  if (audience.kind === 'everyone') return words.question.isFor(words.question.everyone)
  if (audience.names.length === 0 || audience.names.includes(reader.name)) return null
  const names = audience.names.map((name) => (isNamelessOwner({ name }) ? words.question.theOwner : name))
  return words.question.isFor(new Intl.ListFormat(language, { type: 'conjunction' }).format(names))
}
