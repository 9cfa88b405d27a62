import { displayWidth } from './display-width.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const wordWrapLimits = { rememberedWidths: 2_000 } as const

const widths = new Map<string, number>()

/** Asking for the width of each letter takes far longer than everything else here, and letters repeat. */
function measureWidth(segment: string): number {
  const entry = widths.get(segment)
  if (entry !== undefined) return entry
  if (widths.size >= wordWrapLimits.rememberedWidths) widths.clear()
  const width = displayWidth(segment)
  widths.set(segment, width)
  return width
}

/**
 * Breaks lines between words while the words are still coming. Holds back the word that is not finished yet, so `flush`
 * must be called at the end. A word longer than a line is broken where it has to be.
 */
export class WordWrap {
  readonly #width: () => number
  #column = 0
  #word = ''
  #wordWidth = 0

  constructor(width: () => number) {
    this.#width = width
  }

  push(text: string): string {
    let out = ''
    for (const { segment } of graphemes.segment(text)) {
      if (segment === '\n') {
        out += `${this.#take()}\n`
        this.#column = 0
      } else if (segment === ' ') {
        out += this.#take()
        // A space at the end of a line is the break itself.
        if (this.#column < this.#width() - 1) {
          out += ' '
          this.#column += 1
        }
      } else {
        const width = measureWidth(segment)
        // Chinese and its neighbours may be broken between any two characters.
        if (width > 1) out += this.#take()
        this.#word += segment
        this.#wordWidth += width
        if (width > 1 || this.#wordWidth >= this.#width() - 1) out += this.#take()
      }
    }
    return out
  }

  flush(): string {
    const rest = this.#take()
    this.#column = 0
    return rest
  }

  #take(): string {
    if (this.#word === '') return ''
    const breaks = this.#column > 0 && this.#column + this.#wordWidth > this.#width() - 1
    const out = (breaks ? '\n' : '') + this.#word
    this.#column = (breaks ? 0 : this.#column) + this.#wordWidth
    this.#word = ''
    this.#wordWidth = 0
    return out
  }
}

/** A whole text, each line set in by two. */
export function indented(text: string, width: number): string[] {
  const wrap = new WordWrap(() => width - 2)
  return `${wrap.push(text)}${wrap.flush()}`.split('\n').map((line) => `  ${line}`.trimEnd())
}
