import { createContext, useContext, useMemo } from 'react'
import type { ErrorWords, Language } from '../../../src/client/wire.ts'
import { en, type Words } from './en.ts'
import { age, clock } from './time.ts'
import { zh } from './zh.ts'

const dictionaries: Record<Language, Words> = { en, zh }

export const LanguageContext = createContext<Language>('en')

export const wordsOf = (language: Language): Words => dictionaries[language]

export const useWords = (): Words => dictionaries[useContext(LanguageContext)]

export type Times = { age(at: number): string; clock(at: number): string }

export function useTimes(): Times {
  const language = useContext(LanguageContext)
  return useMemo(
    () => ({
      age: (at) => age(at, Date.now(), language, dictionaries[language]),
      clock: (at) => clock(at, Date.now(), language),
    }),
    [language],
  )
}

/** The server speaks English; where the page knows the sentence in the reader's language, it says that instead. */
export function inWords(error: ErrorWords, words: Words): { message: string; hint: string } {
  const known = words.failures[error.code]
  return known === undefined ? { message: error.message, hint: error.hint } : { message: known, hint: '' }
}
