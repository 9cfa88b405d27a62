/**
 * The languages Parley speaks to people and models. A new one is an entry here, a folder of dictionaries in `src/words` and
 * its lines in the registries there (`index.ts`, `page-parts.ts`); the compiler names the dictionaries that are missing.
 */
export const languages = {
  en: { name: 'English', locale: 'en-GB', htmlLang: 'en' },
  zh: { name: '中文', locale: 'zh-CN', htmlLang: 'zh-CN' },
} as const

export type Language = keyof typeof languages

export const languageCodes = Object.keys(languages) as [Language, ...Language[]]

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && Object.hasOwn(languages, value)

/** Reads a BCP 47 tag or a POSIX locale such as `zh_CN.UTF-8`. English when the language is not known. */
export function readLanguage(tag: string | undefined): Language {
  const code = /^[a-z]+/.exec(tag?.toLowerCase() ?? '')?.[0]
  return isLanguage(code) ? code : 'en'
}
