import type { Details } from './refuse.ts'

/** Puts details in the place of `{name}`. A reason may end with a question, such as "Did you mean …?", and then needs no dot. */
export const fillSentence = (sentence: string, details: Details): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '?')).replace(/\?\.$/, '?')
