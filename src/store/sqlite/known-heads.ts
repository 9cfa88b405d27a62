import type { StreamId } from '../../ports/store.ts'
import type { Statements } from './statements.ts'

/** Heads are forgotten all at once when there are more: they can be read again. */
export const knownHeadLimits = { streams: 20_000 } as const

/**
 * Numbers of the last events of streams, so that asking for news of a stream that has none takes no query. SQLite counts the
 * commits of other connections in `data_version`; a head is used only while that count is the one it was learnt under.
 */
export class KnownHeads {
  readonly #sql: Statements
  readonly #heads = new Map<StreamId, number>()
  #version: number | null = null

  constructor(sql: Statements) {
    this.#sql = sql
  }

  /** Forgets everything if another connection has committed. Under the write lock nothing can change after it. */
  refresh(): void {
    const version = this.#sql.dataVersion.get()?.['data_version'] as number
    if (version === this.#version) return
    this.#heads.clear()
    this.#version = version
  }

  /** As of the last `refresh`. */
  get(stream: StreamId): number | undefined {
    return this.#heads.get(stream)
  }

  /** Read or committed after the last `refresh`. */
  learn(stream: StreamId, head: number): void {
    if (this.#heads.size >= knownHeadLimits.streams) this.#heads.clear()
    this.#heads.set(stream, head)
  }

  clear(): void {
    this.#heads.clear()
  }
}
