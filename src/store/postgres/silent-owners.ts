import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PostgresConnection } from './postgres-connection.ts'

export const silentOwnerLimits = {
  checkEveryMs: 1_000,
  /** After a restart of PostgreSQL every process reconnects; one that is late must not lose its work. */
  graceMs: 2_000,
} as const

/** Releases work of processes that ended, long before their leases do. */
export class SilentOwners {
  readonly #connection: PostgresConnection
  readonly #schema: string
  readonly #self: string
  readonly #clock: Clock
  readonly #usesDatabaseClock: boolean
  readonly #log: Log
  readonly #silentSince = new Map<string, number>()
  #checkedAt = -Infinity

  constructor(connection: PostgresConnection, more: { schema: string; self: string; clock: Clock; usesDatabaseClock: boolean; log: Log }) {
    this.#connection = connection
    this.#schema = more.schema
    this.#self = more.self
    this.#clock = more.clock
    this.#usesDatabaseClock = more.usesDatabaseClock
    this.#log = more.log
  }

  /** Kinds of work that was released. */
  async releaseFromTimeToTime(): Promise<string[]> {
    const now = this.#clock.now()
    // Either way: after a step back of the clock the last check lies in the future.
    if (Math.abs(now - this.#checkedAt) < silentOwnerLimits.checkEveryMs) return []
    this.#checkedAt = now
    const silent = await this.#connection.query<{ owner: string; epoch: string }>(
      `SELECT owner, epoch FROM ${this.#schema}.silent_owners($1)`,
      [this.#self],
    )
    for (const owner of this.#silentSince.keys()) if (!silent.some((found) => found.owner === owner)) this.#silentSince.delete(owner)
    const kinds: string[] = []
    for (const { owner, epoch } of silent) {
      const since = this.#silentSince.get(owner) ?? now
      this.#silentSince.set(owner, since)
      if (Math.abs(now - since) < silentOwnerLimits.graceMs) continue
      kinds.push(...(await this.release(owner, epoch)))
      this.#log('info', 'Took back work of a process that ended', { owner })
    }
    return kinds
  }

  /** Releases work of an owner up to an epoch: its later claims stay. */
  async release(owner: string, epoch: string = '9223372036854775807'): Promise<string[]> {
    const rows = await this.#connection.change<{ kind: string }>(`SELECT ${this.#schema}.release_work($1, $2, $3, $4) AS kind`, [
      owner,
      epoch,
      this.#clock.now(),
      this.#usesDatabaseClock,
    ])
    return [...new Set(rows.map(({ kind }) => kind))]
  }
}
