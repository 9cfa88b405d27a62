import type { StreamId } from '../../ports/store.ts'
import type { Listeners } from '../listeners.ts'
import type { PostgresConnection } from './postgres-connection.ts'

export const foreignEventLimits = { pollMs: 400, streamsAtOnce: 1_000, knownHeads: 10_000 } as const

/**
 * Finds events of other processes whose notification did not arrive: the process ended between commit and NOTIFY, the
 * listening connection was cut, or a pooler stands between. So a stop or a revoked session takes effect within a second
 * even without notifications.
 */
export class ForeignEvents {
  readonly #connection: PostgresConnection
  readonly #listeners: Listeners
  readonly #schema: string
  /** Heads that listeners were told of, the oldest leaving first. */
  readonly #heads = new Map<StreamId, number>()
  #position = '0'
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(connection: PostgresConnection, listeners: Listeners, schema: string) {
    this.#connection = connection
    this.#listeners = listeners
    this.#schema = schema
  }

  /** Events from here on are looked for. */
  async start(): Promise<void> {
    this.#position = await this.#readHorizon()
    this.#pollLater()
  }

  #pollLater(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#poll(), foreignEventLimits.pollMs)
    this.#timer.unref()
  }

  /** Listeners know of the stream up to this head. False if they knew it before. */
  noteHead(stream: StreamId, head: number): boolean {
    if ((this.#heads.get(stream) ?? 0) >= head) return false
    this.#heads.delete(stream)
    this.#heads.set(stream, head)
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= foreignEventLimits.knownHeads) break
      this.#heads.delete(oldest)
    }
    return true
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #readHorizon(): Promise<string> {
    const [found] = await this.#connection.query<{ horizon: string }>(`SELECT ${this.#schema}.horizon() AS horizon`)
    return found?.horizon ?? '0'
  }

  async #poll(): Promise<void> {
    try {
      await this.#look()
    } catch {
      // The server does not answer; the next poll begins at the same position.
    } finally {
      this.#pollLater()
    }
  }

  async #look(): Promise<void> {
    const horizon = await this.#readHorizon()
    const after = this.#position
    if (after === horizon) return
    if (!this.#listeners.wantStreams) {
      this.#position = horizon
      return
    }
    const changed = await this.#connection.query<{ stream: string; head: string }>(
      `SELECT stream, max(seq) AS head FROM (
         SELECT stream, seq FROM ${this.#schema}.event WHERE position > $1 AND position <= $2 ORDER BY position DESC LIMIT $3
       ) AS latest GROUP BY stream`,
      [after, horizon, foreignEventLimits.streamsAtOnce],
    )
    this.#position = horizon
    for (const { stream, head } of changed) if (this.noteHead(stream, Number(head))) this.#listeners.streamChanged(stream, Number(head))
  }
}
