import { pieceBytes, tooLong } from './event-stream.ts'
import type { ModelPart } from './wire.ts'
import { isRecord, readField } from '../../shapes/record.ts'

type GatheredCall = { index: number | null; id: string; name: string; input: JsonPieces; extra?: object }

const textIn = (value: unknown): string => (typeof value === 'string' && value.trim() !== '' ? value : '')

/**
 * Puts calls together from their pieces. The protocol names a piece by `index`; servers leave it out, give every call the
 * same one, repeat ids and names, or make up a new id for each piece. So a piece belongs to the call its labels name, and
 * begins a new one where it contradicts that call or follows one that is whole.
 */
export class GatheredCalls {
  #calls: GatheredCall[] = []
  #chars = 0

  /** One of `delta.tool_calls`. */
  take(piece: unknown): void {
    const fields = readField(piece, 'function')
    const number = readField(piece, 'index')
    const index = typeof number === 'number' ? number : null
    const id = textIn(readField(piece, 'id'))
    const name = textIn(readField(fields, 'name'))
    const written = readField(fields, 'arguments')
    const isWhole = typeof written === 'object' && written !== null
    const input = isWhole ? JSON.stringify(written) : typeof written === 'string' ? written : ''
    // Gemini puts its signature there and refuses later requests without it.
    const content = readField(piece, 'extra_content')
    const extra = isRecord(content) ? { extra_content: content } : null
    if (id === '' && name === '' && input === '' && extra === null) return

    this.#chars += id.length + name.length + input.length + (extra ? JSON.stringify(extra).length : 0)
    if (this.#chars > pieceBytes) throw tooLong()
    const gathered = this.#named(index, id, name)
    if (gathered === undefined || beginsAnother(gathered, { id, name, input })) {
      this.#calls.push({ index, id, name, input: new JsonPieces(input), ...(extra && { extra }) })
      return
    }
    gathered.index ??= index
    if (gathered.id === '') gathered.id = id
    if (gathered.name === '') gathered.name = name
    if (extra) gathered.extra = extra
    if (isWhole) gathered.input = new JsonPieces(input)
    else gathered.input.add(input)
  }

  /** All of them, in the order their numbers say, or else as they came. */
  whole(): ModelPart[] {
    const calls = this.#calls
    if (calls.every(({ index }) => index !== null)) calls.sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
    return calls.map(({ id, name, input, extra }) => {
      if (name === '') throw new Error('it calls a tool without saying which')
      return { type: 'call', id, name, input: input.text, ...(extra && { extra }) }
    })
  }

  #named(index: number | null, id: string, name: string): GatheredCall | undefined {
    if (index !== null) {
      const same = this.#calls.findLast((call) => call.index === index)
      // A new number with a known id is a new call where it has a name: some give all calls one id.
      return same ?? (id !== '' && name === '' ? this.#calls.findLast((call) => call.id === id) : undefined)
    }
    const last = this.#calls.at(-1)
    if (id === '') return last
    return this.#calls.findLast((call) => call.id === id) ?? (name === '' || last?.name === '' ? last : undefined)
  }
}

function beginsAnother(gathered: GatheredCall, { id, name, input }: { id: string; name: string; input: string }): boolean {
  if (name === '' || gathered.name === '') return false
  if (name !== gathered.name) return true
  const isStart = /^\s*[{[]/.test(input)
  if (id !== '' && gathered.id !== '' && id !== gathered.id) return isStart || gathered.input.isWhole
  // Named again with the same labels: a repeated label, unless one call was whole and another starts.
  if (input.trim() === '') return id === '' && gathered.input.isWhole
  return isStart && gathered.input.isWhole
}

/**
 * JSON in the making. Parsing it anew with each piece would take quadratic time, so it is parsed only when its brackets
 * are closed for the first time: more text can neither repair closed text that is not JSON, nor add to JSON.
 */
class JsonPieces {
  #pieces: string[] = []
  #chars = 0
  #depth = 0
  #isText = false
  #isEscaped = false
  #hasBegun = false
  #closed: 'whole' | 'broken' | null = null

  constructor(first: string) {
    this.add(first)
  }

  get text(): string {
    return this.#pieces.join('')
  }

  /** True when everything so far is one JSON value. */
  get isWhole(): boolean {
    // A number or a word has no bracket that closes it, but it is short.
    if (!this.#hasBegun) return this.#chars < 400 && isJson(this.text)
    return this.#closed === 'whole'
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#chars += piece.length
    if (this.#closed === 'whole' && piece.trim() !== '') this.#closed = 'broken'
    if (this.#closed !== null) return
    this.#scan(piece)
    if (this.#hasBegun && this.#depth === 0 && !this.#isText) this.#closed = isJson(this.text) ? 'whole' : 'broken'
  }

  #scan(piece: string): void {
    for (const char of piece) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isText) {
        if (char === '\\') this.#isEscaped = true
        else if (char === '"') this.#isText = false
      } else if (char === '"') [this.#isText, this.#hasBegun] = [true, true]
      else if (char === '{' || char === '[') [this.#depth, this.#hasBegun] = [this.#depth + 1, true]
      else if (char === '}' || char === ']') this.#depth -= 1
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
