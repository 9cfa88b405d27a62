/** The calls as 0.1 put them together, parsing the input of a call anew with each piece. */
type GatheredCall = { index: number | null; id: string; name: string; input: string }

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
const textIn = (value: unknown): string => (typeof value === 'string' && value.trim() !== '' ? value : '')

/**
 * Puts calls together from their pieces. The protocol names a piece by `index`; servers leave it out, give every call the
 * same one, repeat ids and names, or make up a new id for each piece. So a piece belongs to the call its labels name, and
 * begins a new one where it contradicts that call or follows one that is whole.
 */
class Calls {
  #calls: GatheredCall[] = []

  /** One of `delta.tool_calls`. */
  take(piece: unknown): void {
    const given = field(piece, 'function')
    const number = field(piece, 'index')
    const index = typeof number === 'number' ? number : null
    const id = textIn(field(piece, 'id'))
    const name = textIn(field(given, 'name'))
    const written = field(given, 'arguments')
    const isWhole = typeof written === 'object' && written !== null
    const input = isWhole ? JSON.stringify(written) : typeof written === 'string' ? written : ''
    if (id === '' && name === '' && input === '') return

    const known = this.#named(index, id, name)
    if (known === undefined || beginsAnother(known, { id, name, input })) {
      this.#calls.push({ index, id, name, input })
      return
    }
    known.index ??= index
    if (known.id === '') known.id = id
    if (known.name === '') known.name = name
    known.input = isWhole ? input : known.input + input
  }

  /** All of them, in the order their numbers say, or else as they came. */
  whole(): string[][] {
    const calls = this.#calls
    if (calls.every(({ index }) => index !== null)) calls.sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
    return calls.map(({ id, name, input }) => {
      if (name === '') throw new Error('it calls a tool without saying which')
      return [id, name, input]
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

function beginsAnother(known: GatheredCall, { id, name, input }: { id: string; name: string; input: string }): boolean {
  if (name === '' || known.name === '') return false
  if (name !== known.name) return true
  const isStart = /^\s*[{[]/.test(input)
  if (id !== '' && known.id !== '' && id !== known.id) return isStart || isJson(known.input)
  // Named again with the same labels: a repeated label, unless one call was whole and another starts.
  if (input.trim() === '') return id === '' && isJson(known.input)
  return isStart && isJson(known.input)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Piece = { index: number | undefined; id: string; name: string; input: string }

export function referenceCalls(pieces: readonly Piece[]): unknown {
  const calls = new Calls()
  for (const { index, id, name, input } of pieces) calls.take({ index, id, function: { name, arguments: input } })
  try {
    return calls.whole()
  } catch (error) {
    return String(error)
  }
}
