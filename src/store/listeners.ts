import type { Delta, Hints, StoredEvent, StreamId } from '../ports/store.ts'

type OnStream = (stream: StreamId, head: number, events?: readonly StoredEvent[]) => void

/** The listening half of a store: who wants to be told, and telling them. A listener's fault stays its own. */
export class Listeners implements Hints {
  // Wrapped, so that one function registered twice is told twice and leaves twice.
  readonly #stream = new Set<{ listen: OnStream }>()
  readonly #work = new Set<{ listen: (kind: string) => void }>()
  readonly #delta = new Set<{ listen: (delta: Delta) => void }>()
  readonly #onFault: (fault: unknown) => void
  /** Called when the first listener for streams or work comes and when the last one goes. */
  #onInterest: (wanted: boolean) => void = () => {}

  constructor(onFault: (fault: unknown) => void = () => {}) {
    this.#onFault = onFault
  }

  watchInterest(onInterest: (wanted: boolean) => void): void {
    this.#onInterest = onInterest
  }

  onStream(listen: OnStream): () => void {
    return this.#add(this.#stream, listen)
  }

  onWork(listen: (kind: string) => void): () => void {
    return this.#add(this.#work, listen)
  }

  onDelta(listen: (delta: Delta) => void): () => void {
    return this.#add(this.#delta, listen)
  }

  publish(delta: Delta): void {
    for (const { listen } of this.#delta) this.#tell(() => listen(delta))
  }

  streamChanged(stream: StreamId, head: number, events?: readonly StoredEvent[]): void {
    for (const { listen } of this.#stream) this.#tell(() => listen(stream, head, events))
  }

  workChanged(kind: string): void {
    for (const { listen } of this.#work) this.#tell(() => listen(kind))
  }

  get wantStreams(): boolean {
    return this.#stream.size > 0
  }

  clear(): void {
    const interests = this.#wanted()
    this.#stream.clear()
    this.#work.clear()
    this.#delta.clear()
    if (interests) this.#onInterest(false)
  }

  #wanted(): boolean {
    return this.#stream.size + this.#work.size > 0
  }

  #add<T>(listeners: Set<{ listen: T }>, listen: T): () => void {
    const before = this.#wanted()
    const entry = { listen }
    listeners.add(entry)
    if (!before && this.#wanted()) this.#onInterest(true)
    return () => {
      const wasWanted = this.#wanted()
      listeners.delete(entry)
      if (wasWanted && !this.#wanted()) this.#onInterest(false)
    }
  }

  #tell(call: () => void): void {
    try {
      call()
    } catch (fault) {
      this.#onFault(fault)
    }
  }
}
