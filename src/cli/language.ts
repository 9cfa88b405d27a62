import type { Language } from '../dialog/events.ts'

/** The order POSIX gives these: the first one that is set decides. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const set = env['PARLEY_LANG'] || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || ''
  return /^zh\b|^zh_/i.test(set) ? 'zh' : 'en'
}
