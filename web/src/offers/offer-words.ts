import type { PageOfferWords } from '../../../src/words/en/page-offers.ts'
import { useWords } from '../words/use-words.ts'

export const useOfferWords = (): PageOfferWords => useWords().offers
