import { createContext, useContext, useMemo } from 'react'
import type { ErrorWords, Language } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { pageWords } from '../../../src/words/index.ts'
import { asTyped } from '../../../src/shapes/as-typed.ts'
import { age, clock } from './time.ts'

export const LanguageContext = createContext<Language>('en')

export const useWords = (): PageWords => pageWords(useContext(LanguageContext))

export type Times = { age(at: number): string; clock(at: number): string }

export function useTimes(): Times {
  const language = useContext(LanguageContext)
  return useMemo(
    () => ({
      age: (at) => age(at, Date.now(), language, pageWords(language)),
      clock: (at) => clock(at, Date.now(), language),
    }),
    [language],
  )
}

/** The server speaks English; where the page knows the sentence in the reader's language, it says that instead. */
export function inWords(error: ErrorWords, words: PageWords): { message: string; hint: string } {
  const [message, hint] = words.failures[error.code] ?? [error.message, error.hint]
  return { message, hint: asTypedHere(hint ?? '') }
}

/** A text with its commands as they are typed where the server was started. The server writes that into index.html. */
export const asTypedHere = (text: string): string =>
  asTyped(text, (typeof document === 'undefined' ? undefined : document.documentElement.dataset['command']) ?? 'parley')
