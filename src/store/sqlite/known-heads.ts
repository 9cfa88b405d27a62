import type { StreamId } from '../../ports/store.ts'
import type { Statements } from './statements.ts'

/** Heads are forgotten all at once when there are more: they can be read again. */
export const knownHeadLimits = { streams: 20_000 } as const

/** Commits of all connections of this process. */
let commitsHere = 0

export const countCommit = (): void => void (commitsHere += 1)

/**
 * Numbers of the last events of streams, so that asking for news of a stream that has none takes no query. SQLite counts the
 * commits of other connections in `data_version`; a head is used only while that count is the one it was learnt under.
 *
 * Reading the count takes a lock of the file. Until the promises that can run now have run, nothing from outside reaches this
 * process, so one look serves all of them, unless another connection of this process commits.
 */
export class KnownHeads {
  readonly #sql: Statements
  readonly #heads = new Map<StreamId, number>()
  #version: number | null = null
  #hasLooked = false
  #commits = -1

  constructor(sql: Statements) {
    this.#sql = sql
  }

  /** Forgets everything if another connection has committed. */
  refresh(): void {
    if (this.#hasLooked && this.#commits === commitsHere) return
    this.#commits = commitsHere
    if (!this.#hasLooked) process.nextTick(() => (this.#hasLooked = false))
    this.#hasLooked = true
    this.look()
  }

  /** The same, whatever was looked at before. */
  look(): void {
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
