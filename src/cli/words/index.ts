import type { Language } from '../../dialog/events.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Everything the terminal says by itself. A word that one language lacks does not compile. */
export type Words = typeof en

export const wordsIn = (language: Language): Words => (language === 'zh' ? zh : en)
