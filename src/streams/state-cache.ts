export type Folded<State> = { state: State; seq: number }

export const stateCacheLimits = { states: 2_000, chars: 16_000_000 } as const

/** The states in use, the least recently used leaving first. Always safe to empty: a state can be folded again. */
export class StateCache<State> {
  readonly #states = new Map<string, { folded: Folded<State>; weight: number }>()
  readonly #weigh: (state: State) => number
  #chars = 0

  constructor(weigh: (state: State) => number) {
    this.#weigh = weigh
  }

  get(stream: string): Folded<State> | undefined {
    const match = this.#states.get(stream)
    if (match) {
      this.#states.delete(stream)
      this.#states.set(stream, match)
    }
    return match?.folded
  }

  set(stream: string, folded: Folded<State>): void {
    this.forget(stream)
    const weight = this.#weigh(folded.state)
    this.#states.set(stream, { folded, weight })
    this.#chars += weight
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= stateCacheLimits.states && this.#chars <= stateCacheLimits.chars) break
      if (oldest !== stream) this.forget(oldest)
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
