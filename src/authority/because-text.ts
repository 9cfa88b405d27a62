import type { Language } from '../shapes/language.ts'
import { fill } from './authority-words.ts'
import { becauseWords } from '../words/page-parts.ts'
import { becauseSentence, unsureSentence } from './because-sentence.ts'
import type { Because } from './decision.ts'
import type { Unsure } from './subjects/unsure.ts'
import { withVisibleCharacters } from './visible-text.ts'

/** The reason of a decision as one sentence. Invisible characters of commands and paths are written out. */
export const becauseText = (because: Because, language: Language, timeZone?: string): string =>
  // The usual reason, and the only one that holds no word of others.
  because.why === 'default'
    ? becauseWords[language].because.default
    : withVisibleCharacters(becauseSentence(because, becauseWords[language], language, timeZone))

export const outsideText = (path: string, language: Language): string =>
  withVisibleCharacters(fill(becauseWords[language].because.outside, { path }))

export const unsureText = (unsure: Unsure, language: Language): string => unsureSentence(unsure, becauseWords[language])
