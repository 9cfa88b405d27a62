import { useContext } from 'react'
import type { Language } from '../../../src/shapes/language.ts'
import { pageOffers as en, type PageOfferWords } from '../../../src/words/en/page-offers.ts'
import { pageOffers as zh } from '../../../src/words/zh/page-offers.ts'
import { LanguageContext } from '../words/use-words.ts'

const offerWords: Readonly<Record<Language, PageOfferWords>> = { en, zh }

export const useOfferWords = (): PageOfferWords => offerWords[useContext(LanguageContext)]
