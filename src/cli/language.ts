import { readLanguage, type Language } from '../shapes/language.ts'

/** The order POSIX gives these: the first one that is set decides. */
export function getLanguage(env: NodeJS.ProcessEnv): Language {
  const set = env['PARLEY_LANG'] || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || ''
  return readLanguage(set)
}
