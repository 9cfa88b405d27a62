import { ParleyError } from '../errors.ts'

/** One page of a list. Pass `next` back as `after`; it is null at the end. */
export type Page<Item> = { items: Item[]; next: string | null }

export type PageRequest = { limit?: number | undefined; after?: string | undefined }

export const pageLimits = { usual: 50, most: 200, cursorChars: 300 } as const

export const pageSize = (limit: number = pageLimits.usual): number => Math.min(limit, pageLimits.most)

/** The last row of a page. Lists are sorted by `sort`, newest first, then by `key`. */
export type Cursor = { sort: number; key: string }

export const writeCursor = ({ sort, key }: Cursor): string => `${sort}~${key}`

/** Refuses anything that is not the `next` of an earlier page. */
export function readCursor(after: string | undefined): Cursor | undefined {
  if (after === undefined) return undefined
  const [, sort, key] = /^(-?\d{1,16}(?:\.\d{1,6})?)~(.+)$/s.exec(after) ?? []
  if (sort === undefined || key === undefined)
    throw new ParleyError('bad_request', { field: 'after', why: 'it is not the "next" of an earlier page' })
  return { sort: Number(sort), key }
}
