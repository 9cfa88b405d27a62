/** Reading JSON of others. A string is made storable: broken surrogates replaced, line breaks of one kind. */

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (input: unknown): input is Fields => typeof input === 'object' && input !== null && !Array.isArray(input)

/** Own fields only: `constructor` of a JSON object is nobody's label. */
export const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

export const listOf = (input: unknown): readonly unknown[] => (Array.isArray(input) ? (input as unknown[]) : [])

/** Text as it was written; undefined when nothing can be seen in it. */
export function textOf(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const text = input.toWellFormed().replaceAll(/\r\n?/g, '\n')
  return text.trim() === '' ? undefined : text
}

/** One line for people: a label, a title. */
export const lineOf = (input: unknown): string | undefined => textOf(input)?.replaceAll(/\s+/g, ' ').trim()

/** Something opaque: kept to the letter. */
export const opaqueOf = (input: unknown): string | undefined =>
  typeof input === 'string' && input !== '' ? input.toWellFormed() : undefined

/** Minus zero is no number that JSON could keep. */
export const numberOf = (input: unknown): number | undefined =>
  typeof input === 'number' && Number.isFinite(input) ? input + 0 : undefined

export function oneOf<Value extends string>(input: unknown, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === input)
}

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'tg:']

/** An address that is safe to open by a tap: no `javascript:`, no `data:`, no spaces that would end it early in text. */
export function urlOf(input: unknown, allowed: readonly string[] = schemes): string | undefined {
  if (typeof input !== 'string' || /[\s<>"\p{Cc}]/u.test(input.trim()) || !input.isWellFormed()) return undefined
  const url = input.trim()
  return URL.canParse(url) && allowed.includes(new URL(url).protocol) ? url : undefined
}
