import type { TextEncoding } from '../message/channel-capabilities.ts'
import { getBoundary, fittingUnits, measure } from './measure.ts'

/**
 * Parts a text that does not fit into a head that does and the rest. Tried in order: between paragraphs, lines,
 * sentences, words, graphemes. A break in the first quarter is only taken when nothing later offers itself.
 * Only a single grapheme that is longer than the limit is parted inside, and then between code points.
 */
export function splitOnce(text: string, limit: number, encoding: TextEncoding): [head: string, rest: string] {
  // Space is kept for closing a fence, should the cut fall into one. A whole character is worth more than a fence.
  const reserve = fenceReserve(text, limit, encoding)
  const fenced = reserve > 0 ? findBreak(text, fittingUnits(text, limit - reserve, encoding), openingLength(text)) : undefined
  const most = fittingUnits(text, limit, encoding)
  const { end, next } = fenced ?? findBreak(text, most, 0) ?? { end: most, next: most }
  const fence = fenced ? openFence(text.slice(0, end)) : undefined
  if (!fence) return [text.slice(0, end), text.slice(next)]
  // A fence that would hold nothing starts in the next message instead.
  if (fence.isEmpty && fence.at > 0) return [text.slice(0, fence.at).trimEnd(), text.slice(fence.at)]
  const rest = text.slice(next)
  const closing = new RegExp(`^ {0,3}${fence.marker}${fence.marker.charAt(0)}*[ \\t]*(\\n|$)`).exec(rest)
  const head = `${text.slice(0, end)}\n${fence.marker}`
  if (closing) return [head, rest.slice(closing[0].length)]
  return [head, `${fence.opening}\n${rest}`]
}

type Break = { end: number; next: number }

/**
 * `most` is how far the head may reach; what stands between `end` and `next` is replaced by the break itself.
 * `beyond` is where a reopened fence begins to hold something: a break before that would never come to an end.
 */
function findBreak(text: string, most: number, beyond: number): Break | undefined {
  // Where a grapheme begins is decided by what stands before and at that place.
  const isBoundary = getBoundary(text.slice(0, most + 4))
  // The break may fall right behind the last unit that fits.
  const inside = text.slice(0, most + 1)
  for (const least of [Math.max(Math.floor(most / 4), beyond + 1), beyond + 1]) {
    for (const find of [paragraphBreak, lineBreak, sentenceBreak, wordBreak]) {
      for (let match = find(inside, most); match && match.end >= least; match = find(inside, match.end - 1)) {
        if (isBoundary(match.end) && isBoundary(match.next)) return match
      }
    }
  }
  let end = most
  while (end > beyond && !isBoundary(end)) end -= 1
  return end > beyond ? { end, next: end } : undefined
}

type Find = (inside: string, from: number) => Break | undefined

const paragraphBreak: Find = (inside, from) => {
  const at = from < 1 ? -1 : inside.lastIndexOf('\n\n', from)
  return at < 1 ? undefined : { end: at, next: at + 2 }
}

const lineBreak: Find = (inside, from) => {
  const at = from < 1 ? -1 : inside.lastIndexOf('\n', from)
  return at < 1 ? undefined : { end: at, next: at + 1 }
}

const wordBreak: Find = (inside, from) => {
  const at = from < 1 ? -1 : inside.lastIndexOf(' ', from)
  return at < 1 ? undefined : { end: at, next: at + 1 }
}

const sentenceBreak: Find = (inside, from) => {
  for (let at = Math.min(from, inside.length - 1); at >= 1; at -= 1) {
    const before = inside.charAt(at - 1)
    // Chinese and Japanese sentences end without a space.
    if (/[。！？；]/.test(before) && at <= from) return { end: at, next: at }
    if (inside.charAt(at) === ' ' && /[.!?…"'”’)]/.test(before) && /[.!?…]["'”’)]*$/.test(inside.slice(Math.max(0, at - 4), at)))
      return { end: at, next: at + 1 }
  }
  return undefined
}

type Fence = { marker: string; opening: string; at: number; isEmpty: boolean }

/** The fence that is still open where the text ends. */
function openFence(text: string): Fence | undefined {
  let open: Fence | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const [, marker = '', info = ''] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? []
    if (open) {
      if (line.trim() !== '') open.isEmpty = false
      const closes = marker.startsWith(open.marker) && info.trim() === '' && marker.charAt(0) === open.marker.charAt(0)
      if (closes) open = undefined
    } else if (marker !== '' && !(marker.startsWith('`') && info.includes('`'))) {
      open = { marker, opening: line, at, isEmpty: true }
    }
    at += line.length + 1
  }
  return open
}

/** Length of an opening fence at the start of the text, its line break included. */
const openingLength = (text: string): number => /^ {0,3}(?:`{3}|~{3})[^\n]*\n/.exec(text)?.[0].length ?? 0

/** Upper bound of the closing fence; 0 without a fence, and where the limit is too small for fences. */
function fenceReserve(text: string, limit: number, encoding: TextEncoding): number {
  // No unit of any encoding is longer than two of these, so a fence further on opens behind the cut. Looking through all
  // of the rest for each message would take quadratic time.
  const lines = [...text.slice(0, limit * 2).matchAll(/^ {0,3}(`{3,}|~{3,}).*$/gm)]
  if (lines.length === 0) return 0
  const closing = Math.max(...lines.map(([, marker = '']) => marker.length)) + 1
  const opening = Math.max(...lines.map(([line]) => measure(line, encoding))) + 1
  return (closing + opening) * 2 <= limit ? closing : 0
}
