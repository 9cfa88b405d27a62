import { foldWithPlaces } from './fold-text.ts'
import { listRuns, type Run } from './words.ts'

export const excerptLimits = { before: 40, chars: 160, marks: 20 } as const

/** `marks`: begin and end of each word that was found, as places in `text`. */
export type Excerpt = { text: string; marks: [number, number][] }

type Found = [from: number, to: number]

/** Where the wanted runs are in a folded text, in order; null when one of them is nowhere. */
export function findRuns(text: string, wanted: readonly Run[]): Found[] | null {
  const words = listRuns(text).filter(({ isJoined }) => !isJoined)
  const found: Found[] = []
  for (const { text: run, isJoined } of wanted) {
    const before = found.length
    if (isJoined) for (let at = text.indexOf(run); at >= 0; at = text.indexOf(run, at + run.length)) found.push([at, at + run.length])
    else for (const word of words) if (word.text.startsWith(run)) found.push([word.at, word.at + run.length])
    if (found.length === before) return null
  }
  return found.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
}

/** The part of a text around the first word that was found; null when one of the words is not in it. */
export function findExcerpt(given: string, wanted: readonly Run[]): Excerpt | null {
  const { shown, text, start } = foldWithPlaces(given)
  const found = findRuns(text, wanted)
  const first = found?.[0]
  if (!found || !first) return null
  const place = (at: number): number => start[at] ?? shown.length
  const from = cutBefore(shown, place(first[0]))
  const to = cutAfter(shown, Math.min(shown.length, from + excerptLimits.chars))
  const [opens, closes] = [from > 0 ? '…' : '', to < shown.length ? '…' : '']
  const marks: [number, number][] = []
  for (const [one, end] of found) {
    const mark: [number, number] = [place(one) - from + opens.length, Math.min(place(end), to) - from + opens.length]
    const last = marks.at(-1)
    if (place(one) >= to || marks.length >= excerptLimits.marks) break
    if (last && mark[0] < last[1]) last[1] = Math.max(last[1], mark[1])
    else if (mark[1] > mark[0]) marks.push(mark)
  }
  // One line: a line break counts as a space, so that places stay.
  return { text: `${opens}${shown.slice(from, to).replaceAll(/[\s\p{Cc}]/gu, ' ')}${closes}`, marks }
}

/** The beginning of an excerpt: at a space, where there is one near. */
function cutBefore(text: string, at: number): number {
  const least = Math.max(0, at - excerptLimits.before)
  if (least === 0) return 0
  const space = text.slice(least, at).search(/\s/)
  return space < 0 ? wholeCharacter(text, least) : least + space + 1
}

const cutAfter = (text: string, at: number): number => wholeCharacter(text, at)

/** Not between the halves of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
