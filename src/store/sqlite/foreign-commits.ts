import type { Clock } from '../../ports/clock.ts'
import type { Listeners } from '../listeners.ts'
import type { Statements } from './statements.ts'

/** Between asking SQLite whether another process committed. One look costs some microseconds. */
const pollMs = 20

/** Events of other processes read in one pass; the next pass reads the rest. */
const eventsAtOnce = 1000

/**
 * Notices what other connections committed to the same file. SQLite does not notify, but `data_version` changes with
 * every commit that was not our own, and the log says what is new. Runs only while there are listeners.
 */
export class ForeignCommits {
  readonly #sql: Statements
  readonly #listeners: Listeners
  readonly #clock: Clock
  readonly #onFault: (fault: unknown) => void
  #timer: NodeJS.Timeout | null = null
  #version = 0
  /** Everything up to here was told, or was our own. */
  #seen = 0
  #own = 0
  #behind = false
  readonly #due = new Map<string, number>()

  constructor(sql: Statements, listeners: Listeners, clock: Clock, onFault: (fault: unknown) => void) {
    this.#sql = sql
    this.#listeners = listeners
    this.#clock = clock
    this.#onFault = onFault
  }

  start(): void {
    if (this.#timer) return
    // Version before position: what comes between the two is told twice rather than never.
    this.#version = this.#dataVersion()
    this.#seen = Number(this.#sql.position.get()?.['position'] ?? 0)
    this.#timer = setInterval(() => this.#look(), pollMs)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Our own commit reached this position. */
  committed(position: number): void {
    this.#own = Math.max(this.#own, position)
  }

  #dataVersion(): number {
    return this.#sql.dataVersion.get()?.['data_version'] as number
  }

  #look(): void {
    try {
      const version = this.#dataVersion()
      if (version === this.#version && !this.#behind) {
        this.#seen = Math.max(this.#seen, this.#own)
        return
      }
      this.#version = version
      this.#tellStreams()
      this.#tellWork()
    } catch (fault) {
      this.#onFault(fault)
    }
  }

  #tellStreams(): void {
    const events = this.#sql.changedSince.all(this.#seen, eventsAtOnce) as { position: number; stream: string; seq: number }[]
    this.#behind = events.length === eventsAtOnce
    this.#seen = events.at(-1)?.position ?? this.#seen
    const heads = new Map(events.map(({ stream, seq }) => [stream, seq]))
    for (const [stream, head] of heads) this.#listeners.streamChanged(stream, head)
  }

  /** Tells kinds that have something due, or whose next due time became earlier. */
  #tellWork(): void {
    const now = this.#clock.now()
    const before = new Map(this.#due)
    this.#due.clear()
    const kinds = this.#sql.nextDueOfAll.all() as { kind: string; due: number }[]
    for (const { kind, due } of kinds) this.#due.set(kind, due)
    for (const { kind, due } of kinds) if (due <= now || due < (before.get(kind) ?? Infinity)) this.#listeners.workChanged(kind)
  }
}
