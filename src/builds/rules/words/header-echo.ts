import { type BuildIds, headerNote } from '../header.ts'

const tag = /\[\s{0,3}(?:FROM|BUILD_ID|SESSION_ID|MESSAGE_TYPE|QUESTION_IDS?)\s{0,3}:[^\]\n]{0,200}\]?/gi
const note = /System note:\s{0,3}headers above are transport metadata[^\n]{0,200}?(?:replies\.|(?=\n)|$)/gi

/** A message without what was copied from a transport header; null when nothing was. */
export function withoutHeaderEcho(text: string): string | null {
  if (text.search(tag) === -1 && text.search(note) === -1) return null
  return text
    .replace(tag, '')
    .replace(note, '')
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** A result without the exact lines of this build's header; every other byte stays. Null when there are none. */
export function withoutHeaderLines(text: string, { build, session }: BuildIds): string | null {
  const exact = new Set(['[FROM:TIDY]', `[BUILD_ID:${build}]`, `[SESSION_ID:${session}]`, headerNote])
  const isHeader = (line: string): boolean =>
    exact.has(line) || /^\[MESSAGE_TYPE:(?:BUILD_REQUEST|USER_ANSWERS?)\]$/.test(line) || /^\[QUESTION_IDS?:[^\]\s]{1,2000}\]$/.test(line)
  const lines = text.split('\n')
  const left = lines.filter((line) => !isHeader(line.replace(/\r$/, '')))
  return left.length === lines.length ? null : left.join('\n')
}
