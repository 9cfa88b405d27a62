// oxlint-disable-next-line no-control-regex -- these are what is looked for
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/g
// oxlint-disable-next-line no-control-regex -- as above; tab and line feed stay
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g
/** Marks that turn the reading direction of everything after them. */
const bidi = /[\u202a-\u202e\u2066-\u2069]/g

export const withoutAnsi = (text: string): string => text.replace(ansi, '')

/** Text as a page can show and a store can keep it: no colour codes, no control characters, whole characters only. */
export const cleanText = (text: string): string =>
  withoutAnsi(text).replace(/\r\n?/g, '\n').replace(control, '').replace(bidi, '').toWellFormed()
