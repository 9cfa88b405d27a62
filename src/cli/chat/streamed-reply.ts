import { plainText } from '../plain-text.ts'

/**
 * Which piece of a growing reply is still to be shown. A reply that was cut (a crash, another try) begins again under
 * another draft; what was shown cannot be taken back on a terminal, so the new one is announced and shown whole.
 */
export class StreamedReply {
  #draft = ''
  #shown = ''

  get isOpen(): boolean {
    return this.#shown !== ''
  }

  /** The new piece, and whether everything before it was in vain. */
  grow(draft: string, text: string): { again: boolean; piece: string } {
    // Half a character, or half a line break, waits for its other half.
    const whole = plainText(text.replace(/[\ud800-\udbff\r]$/, ''))
    const again = this.#draft !== '' && this.#shown !== '' && (draft !== this.#draft || !whole.startsWith(this.#shown))
    const piece = again || draft !== this.#draft ? whole : whole.slice(this.#shown.length)
    this.#draft = draft
    this.#shown = whole
    return { again, piece }
  }

  /** The finished text is here: what of it was not shown yet. */
  finish(text: string): { again: boolean; piece: string } {
    const whole = plainText(text)
    const again = this.#shown !== '' && !whole.startsWith(this.#shown)
    const piece = again ? whole : whole.slice(this.#shown.length)
    this.#draft = ''
    this.#shown = ''
    return { again, piece }
  }

  /** The turn ended without a finished text. */
  drop(): void {
    this.#draft = ''
    this.#shown = ''
  }
}
