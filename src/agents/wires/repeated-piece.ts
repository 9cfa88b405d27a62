import { isRecord } from '../../shapes/record.ts'

type Delta = Record<string, unknown> & { content: string }

/** Quotes, escapes and control characters: a text with one of these is read by `JSON.parse`. */
const special = /["\\\p{Cc}]/u

/**
 * Reads pieces of a chat completion that differ in the words alone, as nearly all of a streamed reply do, without parsing the
 * rest of them again. A piece is such a repetition if it is the text before the words, other words without a special character,
 * and the text after them: then parsing it would give the object of the first one with other words.
 */
export class RepeatedPiece {
  #before = ''
  #after = ''
  #value: unknown = null
  #delta: Delta | null = null

  /** The value of this piece, the same object each time; undefined when it has to be parsed. */
  read(piece: string): unknown {
    const delta = this.#delta
    if (delta === null || !piece.startsWith(this.#before) || !piece.endsWith(this.#after)) return undefined
    const end = piece.length - this.#after.length
    if (end < this.#before.length) return undefined
    const words = piece.slice(this.#before.length, end)
    if (special.test(words)) return undefined
    delta.content = words
    return this.#value
  }

  /** Remembers a piece that was parsed, if its words can be found in it beyond doubt. */
  learn(piece: string, value: unknown): void {
    const delta = findDelta(value)
    if (delta === null || piece.includes('\\')) return
    // Without escapes a quoted name is a key, and one that occurs once is the one that was found.
    const key = piece.indexOf('"content"')
    if (key !== piece.lastIndexOf('"content"') || !piece.startsWith(':"', key + 9)) return
    const start = key + 11
    this.#before = piece.slice(0, start)
    this.#after = piece.slice(start + delta.content.length)
    this.#value = value
    this.#delta = delta
  }
}

/** Only where no reader could keep a part of the value: every field beside the words is a text, a number or nothing. */
function findDelta(value: unknown): Delta | null {
  const choices = isRecord(value) ? value['choices'] : undefined
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined
  const delta = isRecord(choice) ? choice['delta'] : undefined
  if (!isRecord(delta) || typeof delta['content'] !== 'string') return null
  return Object.values(delta).every((field) => typeof field !== 'object' || field === null) ? (delta as Delta) : null
}
