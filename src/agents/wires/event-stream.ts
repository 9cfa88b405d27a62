import { ParleyError } from '../../errors.ts'

/** Longest event, and longest body that is no event stream: a reply of one piece, with room to spare. */
export const pieceBytes = 4_000_000

const newline = 0x0a

/**
 * The data of server-sent events, whatever the pieces the bytes come in. Lines are parted as bytes and decoded whole, so
 * that no character is ever cut; comments, names, ids and retry times are skipped.
 */
export class EventStream {
  /** Bytes of a line whose end has not come. */
  #open: Buffer[] = []
  #openBytes = 0
  /** Data lines of the event that is being read. */
  #data: string | null = null
  #isFirst = true

  take(chunk: Buffer): string[] {
    const end = chunk.lastIndexOf(newline)
    if (end < 0) {
      this.#keep(chunk)
      return []
    }
    const head = chunk.subarray(0, end)
    const lines = this.#open.length === 0 ? head : Buffer.concat([...this.#open, head])
    this.#open = []
    this.#openBytes = 0
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1))
    return this.#listEvents(lines)
  }

  /** Some servers forget the empty line after their last event. */
  end(): string[] {
    const lines = Buffer.concat([...this.#open, Buffer.from('\n')])
    this.#open = []
    return this.#listEvents(lines)
  }

  #keep(chunk: Buffer): void {
    this.#open.push(chunk)
    this.#openBytes += chunk.length
    if (this.#openBytes > pieceBytes) throw tooLong()
  }

  #listEvents(bytes: Buffer): string[] {
    const events: string[] = []
    let text = bytes.toString('utf8')
    if (this.#isFirst && text.startsWith('\uFEFF')) text = text.slice(1)
    this.#isFirst = false
    for (let start = 0; start <= text.length;) {
      let end = text.indexOf('\n', start)
      if (end < 0) end = text.length
      const line = text.slice(start, text.charCodeAt(end - 1) === 0x0d && end > start ? end - 1 : end)
      start = end + 1
      if (line === '') {
        if (this.#data !== null) events.push(this.#data)
        this.#data = null
        continue
      }
      if (!line.startsWith('data')) continue
      if (line.length > 4 && line[4] !== ':') continue
      const data = line.slice(line[5] === ' ' ? 6 : 5)
      this.#data = this.#data === null ? data : `${this.#data}\n${data}`
      if (this.#data.length > pieceBytes) throw tooLong()
    }
    return events
  }
}

export const tooLong = (): ParleyError =>
  new ParleyError('model_garbled', { why: `a single piece of the reply is longer than ${pieceBytes / 1_000_000} MB` }, { retryable: true })
