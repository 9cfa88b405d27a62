import { isRecord } from '../../shapes/record.ts'
import { pieceBytes, tooLong } from './event-stream.ts'

/** Gathers the fields of a chat-completions message that later requests repeat: `reasoning_content` and `reasoning_details`. */
export class KeptFields {
  #content: string[] = []
  #details: Record<string, unknown>[] = []
  #chars = 0

  take({ reasoning_content: content, reasoning_details: details }: { reasoning_content?: unknown; reasoning_details?: unknown }): void {
    if (typeof content === 'string') this.#add(content)
    if (Array.isArray(details)) for (const detail of details) if (isRecord(detail)) this.#join(detail)
  }

  /** The fields as one object; null when there were none. */
  whole(): object | null {
    if (this.#content.length === 0 && this.#details.length === 0) return null
    return {
      ...(this.#content.length > 0 && { reasoning_content: this.#content.join('') }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
    }
  }

  #add(text: string): void {
    this.#count(text.length)
    this.#content.push(text)
  }

  /** Pieces of one detail come one after the other and have its type and index. */
  #join(piece: Record<string, unknown>): void {
    this.#count(JSON.stringify(piece).length)
    const last = this.#details.at(-1)
    if (!last || last['type'] !== piece['type'] || last['index'] !== piece['index'] || piece['index'] === undefined) {
      this.#details.push({ ...piece })
      return
    }
    for (const [name, value] of Object.entries(piece))
      if (grows.has(name) && typeof value === 'string' && typeof last[name] === 'string') last[name] += value
      else if (value !== null && value !== undefined) last[name] = value
  }

  #count(chars: number): void {
    this.#chars += chars
    if (this.#chars > pieceBytes) throw tooLong()
  }
}

const grows = new Set(['text', 'summary', 'data'])
