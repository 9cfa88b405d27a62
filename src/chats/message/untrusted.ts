/** Reading JSON of others. A string is made storable: broken surrogates replaced, line breaks of one kind. */

export type Fields = Readonly<Record<string, unknown>>

/** Own fields only: `constructor` is inherited by every object. */
export const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

export const getList = (input: unknown): readonly unknown[] => (Array.isArray(input) ? (input as unknown[]) : [])

/** Text as it was written; undefined when nothing can be seen in it. */
export function getText(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const text = input.toWellFormed().replaceAll(/\r\n?/g, '\n')
  return text.trim() === '' ? undefined : text
}

/** One line for people: a label, a title. */
export const toLine = (input: unknown): string | undefined => getText(input)?.replaceAll(/\s+/g, ' ').trim()

/** Something opaque: kept to the letter. */
export const getOpaque = (input: unknown): string | undefined =>
  typeof input === 'string' && input !== '' ? input.toWellFormed() : undefined

/** Minus zero is no number that JSON could keep. */
export const getNumber = (input: unknown): number | undefined =>
  typeof input === 'number' && Number.isFinite(input) ? input + 0 : undefined

export function readChoice<Value extends string>(input: unknown, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === input)
}

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'tg:']

/** An address that is safe to open by a tap: no `javascript:`, no `data:`, no spaces that would end it early in text. */
export function toUrl(input: unknown, allowed: readonly string[] = schemes): string | undefined {
  if (typeof input !== 'string' || /[\s<>"\p{Cc}]/u.test(input.trim()) || !input.isWellFormed()) return undefined
  const url = input.trim()
  return URL.canParse(url) && allowed.includes(new URL(url).protocol) ? url : undefined
}
