import type { Language } from '../../../src/shapes/wire.ts'
import { pageFindWords } from '../../../src/words/page-parts.ts'
import type { Place } from './use-place.ts'

/** Said when a link leads to something that the chat does not show. */
export const missingPlace = (place: Place, language: Language): string =>
  'course' in place ? pageFindWords[language].noCourse(place.course) : pageFindWords[language].notHere
