import { storage } from './storage.ts'

const toPlace = (what: string): string => `parley.draft.${what}`

/** Unsent text, stored per tab and per dialog or question, so that a reload loses nothing. */
export const drafts = {
  get: (what: string): string => storage.get<string>('tab', toPlace(what)) ?? '',
  set: (what: string, text: string): void => storage.set('tab', toPlace(what), text),
}
