import type { PromptItem } from '../../dialogs/rules/prompt/prompt-items.ts'

/** Dialogs and characters that are kept; the dialog that was silent for longest goes. */
export const renderCacheLimits = { dialogs: 1_000, chars: 16_000_000 } as const

/** The elements of a list up to an output, and each of them as JSON. */
export type RenderedPart = { elements: object[]; texts: string[] }

type Prefix = RenderedPart & { epoch: number; rendering: object; items: number; output: PromptItem; chars: number }

/**
 * Rendered beginnings of the lists of dialogs. Within an epoch a list only grows, so a request renders what was added since the one
 * before it. An entry holds for the epoch and the rendering it was made for, and only while the list has the same output after it:
 * a list that was folded anew, from a snapshot or after a change, has other objects.
 */
export class RenderCache {
  readonly #prefixes = new Map<string, Prefix>()
  #chars = 0

  /** The first `count` items, which an output follows. The result is valid until the next call for this dialog. */
  render(
    { dialog, epoch, rendering }: { dialog: string; epoch: number; rendering: object },
    items: readonly PromptItem[],
    count: number,
    render: (part: readonly PromptItem[]) => object[],
  ): RenderedPart {
    const output = items[count]
    const entry = this.#take(dialog)
    const fits = entry && entry.epoch === epoch && entry.items <= count && items[entry.items] === entry.output
    const prefix: RenderedPart & { chars: number } =
      fits && isSame(entry.rendering, rendering) ? entry : { elements: [], texts: [], chars: 0 }
    const from = prefix === entry ? entry.items : 0
    for (const element of count > from ? render(items.slice(from, count)) : []) {
      const text = JSON.stringify(element)
      prefix.elements.push(element)
      prefix.texts.push(text)
      prefix.chars += text.length
    }
    if (output) this.#put(dialog, { ...prefix, epoch, rendering, items: count, output })
    return prefix
  }

  #take(dialog: string): Prefix | undefined {
    const prefix = this.#prefixes.get(dialog)
    if (!prefix) return undefined
    this.#prefixes.delete(dialog)
    this.#chars -= prefix.chars
    return prefix
  }

  #put(dialog: string, prefix: Prefix): void {
    this.#prefixes.set(dialog, prefix)
    this.#chars += prefix.chars
    for (const oldest of this.#prefixes.keys()) {
      if (this.#prefixes.size <= renderCacheLimits.dialogs && this.#chars <= renderCacheLimits.chars) break
      this.#take(oldest)
    }
  }

  get chars(): number {
    return this.#chars
  }
}

/** Settings of a rendering are plain values. */
function isSame(one: object, other: object): boolean {
  const [left, right] = [Object.entries(one), Object.entries(other)]
  return left.length === right.length && left.every(([name, value]) => value === (other as Record<string, unknown>)[name])
}
