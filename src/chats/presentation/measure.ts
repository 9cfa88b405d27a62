import type { TextEncoding } from '../message/channel-capabilities.ts'

/** The length of a text as one platform counts it. */
export function measure(text: string, encoding: TextEncoding): number {
  if (encoding === 'utf16-units') return text.length
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const isLow = unit >= 0xdc00 && unit < 0xe000
    if (encoding === 'characters') length += isLow ? 0 : 1
    // The two halves of a pair make four bytes together.
    else length += unit < 0x80 ? 1 : unit < 0x800 || isLow || (unit >= 0xd800 && unit < 0xdc00) ? 2 : 3
  }
  return length
}

export const byteLength = (text: string): number => measure(text, 'utf8-bytes')

/** UTF-16 units of the text that fit, never ending inside a surrogate pair. At least one character, so that splitting ends. */
export function fittingUnits(text: string, limit: number, encoding: TextEncoding): number {
  let at = 0
  let used = 0
  while (at < text.length) {
    const step = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    used += measure(text.slice(at, at + step), encoding)
    if (used > limit) break
    at += step
  }
  return at === 0 ? ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1) : at
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** May a text be parted here without breaking what a person sees as one character? */
export const getBoundary = (text: string): ((at: number) => boolean) => {
  const segments = segmenter.segment(text)
  return (at) => at <= 0 || at >= text.length || segments.containing(at)?.index === at
}

/** A label that fits, cut between graphemes and marked as cut. */
export function cutLabel(label: string, limit: number, encoding: TextEncoding): string {
  if (measure(label, encoding) <= limit) return label
  const space = limit - measure('…', encoding)
  let buffer = ''
  let used = 0
  for (const { segment } of segmenter.segment(label)) {
    used += measure(segment, encoding)
    if (used > space) break
    buffer += segment
  }
  return `${buffer.trimEnd()}…`
}
