import { canaryFinder } from './canary.ts'
import { documentHeadings } from './peer-text.ts'

export const leakKinds = ['canary', 'brief', 'heading', 'token', 'tool', 'id', 'key', 'email', 'phone'] as const

export type LeakKind = (typeof leakKinds)[number]

/** `found` is shown to the owner, never to the peer. Of a canary and a key only the kind is told. */
export type Leak = { kind: LeakKind; found: string }

export type LeakSources = {
  /** Of the run that wrote the text. */
  canary: string
  /** Texts that must not be quoted, such as the brief of this side. */
  secretTexts: readonly string[]
  /** Texts whose facts may be said: profiles, the brief, answers of the owner, and what the peer wrote. */
  approvedTexts: readonly string[]
}

const quotedWords = 7
const quotedChars = 14

/** Everything in an outgoing turn that must not leave. Runs over text of at most `turnChars`. */
export function findLeaks(text: string, { canary, secretTexts, approvedTexts }: LeakSources): Leak[] {
  const leaks: Leak[] = []
  if (canaryFinder(canary)(text)) leaks.push({ kind: 'canary', found: '' })
  const quoted = secretTexts.map((secret) => findQuote(text, secret)).find((quote) => quote !== null)
  if (quoted) leaks.push({ kind: 'brief', found: quoted })
  const heading = text.split('\n').find((line) => isDocumentLine(line))
  if (heading !== undefined) leaks.push({ kind: 'heading', found: heading.trim() })
  const approved = readContacts(approvedTexts.join('\n'))
  for (const [kind, pattern] of patterns)
    for (const [found] of text.matchAll(pattern)) {
      if (kind === 'phone' && !isPhone(found)) continue
      if ((kind === 'email' || kind === 'phone') && approved.has(toContact(found))) continue
      leaks.push({ kind, found: kind === 'key' ? '' : found })
      break
    }
  return leaks
}

const patterns: readonly (readonly [LeakKind, RegExp])[] = [
  ['token', /\b(?:NO_REPLY|ANNOUNCE_SKIP)\b/gi],
  ['tool', /\b(?:claworld_[a-z_]{2,40}|report_to_owner|ask_owner|end_conversation)\b/gi],
  ['id', /\b(?:agt|acct|crq|req|dlv|trn|wld|mbr|inv|brc|rep|evt|dlg|run|cns)_[0-9a-z]{8,60}\b|\bpair:[\w-]{3,80}::[\w-]{3,80}/gi],
  [
    'key',
    /\b(?:sk|pk|rk)-[\w-]{16,200}|\bgh[pousr]_\w{20,100}|\bxox[abprs]-[\w-]{10,200}|\bAKIA[0-9A-Z]{16}\b|\beyJ[\w-]{10,2000}\.[\w-]{10,2000}|-----BEGIN [A-Z ]{3,40}-----|\b[0-9a-f]{32,128}\b|\bplt_\w{16,100}/g,
  ],
  ['email', /[\w.+-]{1,64}(?:@|\s?\[at\]\s?|＠)[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/gi],
  ['phone', /(?:\+|00)?\d[\d ()./-]{6,24}\d/g],
]

/** Kinds that are private whoever wrote them. */
const privateKinds: ReadonlySet<LeakKind> = new Set(['email', 'phone', 'key', 'id'])

/** The text with addresses, numbers, keys and ids replaced by what `name` says of their kind. */
export const hidePrivate = (text: string, name: (kind: LeakKind) => string): string =>
  patterns.reduce(
    (shown, [kind, pattern]) =>
      privateKinds.has(kind) ? shown.replace(pattern, (found) => (kind === 'phone' && !isPhone(found) ? found : name(kind))) : shown,
    text,
  )

/** Dates and years have fewer digits, or none of the separators of a telephone number. */
function isPhone(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  if (digits.length < 8 || digits.length > 15) return false
  return (
    !/^\d{4}[-./]\d{1,2}[-./]\d{1,2}$/.test(found) && !/^(?:19|20)\d\d\s?[-–]\s?(?:19|20)\d\d$/.test(found) && !/^\d+\.\d+$/.test(found)
  )
}

/** An address in lower case, a number by its digits. */
const toContact = (found: string): string => (/[@＠[]/.test(found) ? found.toLowerCase() : found.replace(/\D/g, '').replace(/^00/, ''))

/** Addresses and numbers that may be said. */
const readContacts = (text: string): ReadonlySet<string> =>
  new Set(
    patterns
      .filter(([kind]) => kind === 'email' || kind === 'phone')
      .flatMap(([, pattern]) => [...text.matchAll(pattern)].map(([found]) => toContact(found))),
  )

/** A run of words (of characters in scripts without spaces) that is in both; null if there is none. */
function findQuote(text: string, secret: string): string | null {
  const hay = toUnits(text)
  const needle = toUnits(secret)
  const size = needle.isWords ? quotedWords : quotedChars
  const grams = new Set<string>()
  for (let from = 0; from + size <= needle.units.length; from += 1) grams.add(needle.units.slice(from, from + size).join(' '))
  const units = needle.isWords === hay.isWords ? hay.units : needle.isWords ? splitWords(text) : splitChars(text)
  for (let from = 0; from + size <= units.length; from += 1) {
    const gram = units.slice(from, from + size)
    if (grams.has(gram.join(' '))) return gram.join(needle.isWords ? ' ' : '')
  }
  return null
}

const toUnits = (text: string): { units: string[]; isWords: boolean } => {
  const isWords = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(text)
  return { units: isWords ? splitWords(text) : splitChars(text), isWords }
}

const splitWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
const splitChars = (text: string): string[] =>
  Array.from(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  )

const headingLines: ReadonlySet<string> = new Set(documentHeadings.map((heading) => heading.toLowerCase()))

const isDocumentLine = (line: string): boolean => {
  const match = /^\s{0,8}#{1,6}\s*(\S[^\n]*)$/.exec(line)
  return (
    match !== null &&
    headingLines.has(
      (match[1] ?? '')
        .replace(/\d{1,3}$/, '')
        .trim()
        .toLowerCase(),
    )
  )
}
