import { readLanguage } from '../../shapes/language.ts'
import { inboundWords } from '../../words/index.ts'

/** A text for a person who writes or taps in a chat. */
export const notice = (name: keyof (typeof inboundWords)['en'], language: string | undefined, value = ''): string =>
  inboundWords[readLanguage(language)][name](value)
