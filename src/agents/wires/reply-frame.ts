import { noUsage } from '../models/usage.ts'
import { ReplyPieces } from './reply-pieces.ts'
import type { ModelPart, ReplyReader } from './wire.ts'

/** The readers of all protocols: pieces of JSON come in, parts go out, and the reason and usage are known at the end. */
export abstract class ReplyFrame implements ReplyReader {
  readonly #pieces = new ReplyPieces()
  protected isComplete = false
  /** Anything of the protocol was there. */
  protected isRead = false
  /** The finish reason in the words of the server; null while there is none. */
  protected reason: string | null = null
  protected usage = noUsage

  get isDone(): boolean {
    return this.isComplete
  }

  take(chunk: Buffer): ModelPart[] | null {
    return this.#readAll(this.#pieces.take(chunk))
  }

  end(): ModelPart[] {
    const parts = this.#readAll(this.#pieces.end()) ?? []
    if (!this.isRead) throw new Error('it sent nothing')
    this.addLast(parts)
    return [...parts, { type: 'finish', end: this.reason, usage: this.usage }]
  }

  /** Reads one piece; false if it held no output. */
  protected abstract read(value: unknown, piece: string, parts: ModelPart[]): boolean

  protected parse(piece: string): unknown {
    return JSON.parse(piece) as unknown
  }

  /** Adds the parts that are whole only at the end. */
  protected addLast(_parts: ModelPart[]): void {}

  #readAll(pieces: readonly string[]): ModelPart[] | null {
    const parts: ModelPart[] = []
    let isHeard = false
    for (const piece of pieces) {
      if (this.isComplete || piece === '') continue
      // The end of Chat Completions; servers that speak several protocols end all of them so.
      if (piece.startsWith('[DONE]')) this.isComplete = true
      else if (this.read(this.parse(piece), piece, parts)) isHeard = true
    }
    return isHeard ? parts : null
  }
}
