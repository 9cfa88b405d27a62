import { buildTexts } from '../../../words/index.ts'
import type { Language } from '../../../shapes/language.ts'

/** One short sentence for a long silence; each later silence of a build gets the next one. */
export const reassurance = (locale: Language, earlier: number): string =>
  buildTexts[locale].reassurances[earlier % buildTexts[locale].reassurances.length] ?? buildTexts[locale].reassurances[0]

export const isReassurance = (text: string): boolean => Object.values(buildTexts).some(({ reassurances }) => reassurances.includes(text))
