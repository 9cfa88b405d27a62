import { storage } from './storage.ts'

const placeOf = (what: string): string => `parley.draft.${what}`

/** What somebody has begun to write, kept per tab and per dialog or question, so that a reload loses nothing. */
export const drafts = {
  get: (what: string): string => storage.get<string>('tab', placeOf(what)) ?? '',
  set: (what: string, text: string): void => storage.set('tab', placeOf(what), text),
}
