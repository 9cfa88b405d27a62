import { readSaid, type SaidEntry } from '../../../src/testing/model-behaviours.ts'
import type { Behaviour } from '../../../src/testing/model-emulator.ts'

export const words = (content: string): SaidEntry => ({ message: { content }, finish_reason: 'stop' })

export const calls = (...made: readonly [name: string, input: object][]): SaidEntry => ({
  message: {
    content: null,
    tool_calls: made.map(([name, input], at) => ({ id: `before_${name}_${at}`, function: { name, arguments: JSON.stringify(input) } })),
  },
  finish_reason: 'tool_calls',
})

const say = (entry: SaidEntry): Behaviour => ({ does: 'say', said: readSaid(entry) })

/** The request to the model, without the tools and the system prompt. */
export const askedText = ({ messages, input }: Record<string, unknown>): string => JSON.stringify(messages ?? input ?? [])

/** The settings of a request. */
const otherFields = ({ messages: _messages, input: _input, ...fields }: Record<string, unknown>): string => JSON.stringify(fields)

/** The refusal of a line, said to every request that has the fault it names and to no other. */
export type StandingRefusal = { entry: SaidEntry; isFor(asked: string): boolean }

export const isRefusal = (entry: SaidEntry | undefined): boolean => entry !== undefined && !('parts' in readSaid(entry))

/** Outputs of the model in a request. */
const countOutputs = (asked: string): number =>
  asked.split('"role":"assistant"').length + asked.split('"type":"function_call",').length + asked.split('"type":"reasoning"').length

/**
 * Says the entries in order, also to a server that was killed: a request whose answer was lost with its process gets the same
 * answer again, whether its bytes are the same (as they have to be) or not.
 */
export class LineScript {
  readonly asked: string[] = []
  readonly bodies: Record<string, unknown>[] = []
  readonly #entries: readonly SaidEntry[]
  readonly #rest: SaidEntry
  readonly #refusal: StandingRefusal | null
  #given = 0
  #lastOutputs = 0
  #seen = new Map<string, { entry: number; fields: string }[]>()
  #repeated = new Map<string, number>()

  constructor(entries: readonly SaidEntry[], rest: SaidEntry, refusal: StandingRefusal | null = null) {
    this.#entries = entries
    this.#rest = rest
    this.#refusal = refusal
  }

  /** Entries that have been said at least once. */
  get given(): number {
    return this.#given
  }

  get length(): number {
    return this.#entries.length
  }

  /** The number of the entry that this request gets, or that it is refused. */
  take(body: Record<string, unknown>): number | 'refused' {
    const asked = askedText(body)
    this.asked.push(asked)
    this.bodies.push(body)
    if (this.#refusal?.isFor(asked)) return 'refused'
    const before = this.#seen.get(asked) ?? []
    const repeats = this.#repeated.get(asked) ?? Infinity
    const fields = otherFields(body)
    // A server that refused a field does not refuse the request without it.
    const isRepeated = ({ entry, fields: then }: { entry: number; fields: string }): boolean =>
      then === fields || !isRefusal(this.#entries[entry])
    const again = before.findIndex((one, at) => at >= repeats && isRepeated(one))
    if (again >= 0) {
      this.#repeated.set(asked, again + 1)
      return before[again]?.entry ?? 0
    }
    // After a kill, a list without the output that was said last: that answer was lost.
    const isLost = this.#repeated.size > 0 && this.#given > 0 && countOutputs(asked) === this.#lastOutputs && before.length === 0
    this.#repeated = new Map([...this.#repeated].filter(([text]) => text === asked))
    const entry = isLost && isVisible(this.#entries[this.#given - 1]) ? this.#given - 1 : this.#given
    this.#seen.set(asked, [...before, { entry, fields }])
    this.#given = Math.max(this.#given, entry + 1)
    this.#lastOutputs = countOutputs(asked)
    return entry
  }

  entry(at: number | 'refused'): Behaviour {
    return say((at === 'refused' ? this.#refusal?.entry : this.#entries[at]) ?? this.#rest)
  }

  /** The server was killed: what it was told may be lost. */
  restart(): void {
    this.#repeated = new Map([...this.#seen.keys()].map((asked) => [asked, 0]))
  }
}

/** An output that a later request has in its list. */
const isVisible = (entry: SaidEntry | undefined): boolean => {
  if (entry === undefined) return true
  const said = readSaid(entry)
  return 'parts' in said && said.parts.some((part) => part.type !== 'thinking')
}

export const sayEntry = say
