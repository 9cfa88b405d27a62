import type { Log } from '../../ports/log.ts'
import { clockStepLimits, isStepBack } from '../clock-steps.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import type { Statements } from './statements.ts'

/** The highest time of the clock that was stored, so that a process notices a step that was made while none ran. */
export class SqliteTime {
  readonly #connection: SqliteConnection
  readonly #log: Log
  #notedAt = -Infinity

  constructor(connection: SqliteConnection, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  /** Inside a transaction that is made anyway: an idle server writes nothing. */
  note(sql: Statements, now: number): void {
    if (Math.abs(now - this.#notedAt) < clockStepLimits.storedEveryMs) return
    sql.noteTime.run(Math.floor(now))
    this.#notedAt = now
  }

  /**
   * Moves all due times and lease ends back, once for each step: the process that comes second finds the stored time
   * already moved. `latest` is what this process saw, null at its start.
   */
  moveWorkBack(now: number, latest: number | null = null): void {
    const stored = this.#stored()
    if (stored === null ? latest === null : !isStepBack(now, stored)) return
    this.#connection.changeWithoutSync((sql) => {
      const storedTime = this.#stored()
      if (storedTime !== null && !isStepBack(now, storedTime)) return
      const stepMs = Math.max(storedTime ?? -Infinity, latest ?? -Infinity) - now
      sql.moveWorkBack.run(stepMs)
      sql.setTime.run(Math.floor(now))
      this.#log('warn', 'The clock was set back; due times were moved with it', { stepMs })
    })
    this.#notedAt = now
  }

  #stored(): number | null {
    return this.#connection.ask((sql) => (sql.time.get()?.['time'] as number | undefined) ?? null)
  }
}
