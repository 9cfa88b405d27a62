import { EventStream, pieceBytes, tooLong } from './event-stream.ts'

/** The JSON pieces of a reply: events of a stream, or one document where `stream` was not heeded. */
export class ReplyPieces {
  #kind: 'unknown' | 'events' | 'document' = 'unknown'
  #events = new EventStream()
  #document: Buffer[] = []
  #documentBytes = 0

  /** Pieces in these bytes. A document is one piece at the end. */
  take(chunk: Buffer): string[] {
    if (this.#kind === 'unknown') this.#kind = detectKind(chunk)
    if (this.#kind !== 'document') return this.#events.take(chunk)
    this.#documentBytes += chunk.length
    if (this.#documentBytes > pieceBytes) throw tooLong()
    this.#document.push(chunk)
    return []
  }

  end(): string[] {
    return this.#kind === 'document' ? [joinDocument(this.#document)] : this.#events.end()
  }
}

/** The first byte tells: an event stream cannot begin with a brace. White space and a byte order mark tell nothing. */
function detectKind(chunk: Buffer): 'unknown' | 'events' | 'document' {
  for (const byte of chunk) {
    if (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf) continue
    return byte === 0x7b || byte === 0x5b ? 'document' : 'events'
  }
  return 'unknown'
}

/** From its first brace on: what is left of a byte order mark is no JSON. */
function joinDocument(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString('utf8')
  return text.slice(text.search(/[{[]/))
}
