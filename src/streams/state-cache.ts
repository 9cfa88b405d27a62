export type Folded<State> = { state: State; seq: number }

export const stateCacheLimits = { states: 2_000, chars: 16_000_000 } as const

type Entry<State> = { folded: Folded<State>; weight: number; isUsed: boolean }

/**
 * The states in use. The oldest that was not used since it was last looked at leaves first: a mark is cheaper than to move
 * the entry on every use. Always safe to empty: a state can be folded again.
 */
export class StateCache<State> {
  readonly #states = new Map<string, Entry<State>>()
  readonly #weigh: (state: State) => number
  #chars = 0

  constructor(weigh: (state: State) => number) {
    this.#weigh = weigh
  }

  get(stream: string): Folded<State> | undefined {
    const match = this.#states.get(stream)
    if (match) match.isUsed = true
    return match?.folded
  }

  set(stream: string, folded: Folded<State>): void {
    const weight = this.#weigh(folded.state)
    const entry = this.#states.get(stream)
    this.#chars += weight - (entry?.weight ?? 0)
    if (entry) {
      entry.folded = folded
      entry.weight = weight
      entry.isUsed = true
    } else this.#states.set(stream, { folded, weight, isUsed: false })
    this.#shrink(stream)
  }

  /** An entry is looked at twice at most: used ones go to the end without their mark. */
  #shrink(kept: string): void {
    for (const [stream, entry] of this.#states) {
      if (this.#states.size <= stateCacheLimits.states && this.#chars <= stateCacheLimits.chars) return
      if (stream !== kept && !entry.isUsed) this.forget(stream)
      else if (this.#states.size > 1) {
        entry.isUsed = false
        this.#states.delete(stream)
        this.#states.set(stream, entry)
      } else return
    }
  }

  forget(stream: string): void {
    const entry = this.#states.get(stream)
    if (!entry) return
    this.#chars -= entry.weight
    this.#states.delete(stream)
  }

  get size(): number {
    return this.#states.size
  }
}
