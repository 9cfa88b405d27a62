import { z } from 'zod'
import { pageLimits } from '../shapes/paging.ts'

/** The reason why a text cannot be stored or shown; null when it can. */
export function faultOfText(text: string): string | null {
  if (!text.isWellFormed()) return 'half of a surrogate pair'
  const control = /[\p{Cc}--[\t\n\r]]/v.exec(text)
  return control ? `the control character U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : null
}

/** Text a person wrote: any language, any direction, several lines. Line ends become \n. */
export const text = (most: number): z.ZodType<string, string> => clean(z.string().max(most), (value) => value.replace(/\r\n?/g, '\n'))

/** A name or title: one line. */
export const line = (most: number): z.ZodType<string, string> => clean(z.string().max(most), (value) => value.replace(/\s+/g, ' ').trim())

function clean(schema: z.ZodString, tidy: (value: string) => string): z.ZodType<string, string> {
  return schema
    .check((context) => {
      const what = faultOfText(context.value)
      if (what !== null) context.issues.push({ code: 'custom', input: context.value, message: `holds ${what}`, params: { what } })
    })
    .transform(tidy)
}

/** Ids are made here, so their shape is known: what looks different cannot exist. */
export const id: z.ZodType<string, string> = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'is not an id')

/** A whole number as it stands in a query. */
export const whole = (least: number, most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .meta({ type: 'integer', minimum: least, maximum: most })
    .transform(Number)
    .pipe(z.number().min(least).max(most))

/** The query of every list that comes in pages. */
export const pageQuery = {
  limit: whole(1, pageLimits.most).optional(),
  after: z
    .string()
    .max(pageLimits.cursorChars)
    .regex(/^-?[\d.]+~[\w.~:-]+$/, 'is not the `next` of an earlier page')
    .optional(),
}
