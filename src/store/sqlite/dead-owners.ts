import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { buryIfDead, knownOwners } from './owner-lock.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Dead owners are looked for when a store opens and then at most this often. */
const lookEveryMs = 1000

type Holding = { owner: string; epoch: number }

/** Gives back the work of owners that are gone. */
export class DeadOwners {
  readonly #connection: SqliteConnection
  readonly #path: string
  readonly #owner: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #onFreed: (kind: string) => void
  #lookedAt = -Infinity

  constructor(
    connection: SqliteConnection,
    path: string,
    owner: string,
    more: { clock: Clock; log: Log; onFreed: (kind: string) => void },
  ) {
    this.#connection = connection
    this.#path = path
    this.#owner = owner
    this.#clock = more.clock
    this.#log = more.log
    this.#onFreed = more.onFreed
  }

  /** At the start, also those that left only their file behind. */
  buryAll(): void {
    this.#bury(new Set(knownOwners(this.#path)))
  }

  buryFromTimeToTime(): void {
    // Either way: after a step back of the clock the last look lies in the future.
    if (Math.abs(this.#clock.now() - this.#lookedAt) >= lookEveryMs) this.#bury(new Set())
  }

  /** Gives back what is held under our own name: at the start that of a former life, at the end our own. */
  freeOwn(): void {
    const own = this.#holding().find(({ owner }) => owner === this.#owner)
    if (own) this.#free(own.owner, own.epoch)
  }

  #holding(): Holding[] {
    return this.#connection.ask((sql) => sql.owners.all()) as Holding[]
  }

  #bury(owners: Set<string>): void {
    this.#lookedAt = this.#clock.now()
    try {
      // Epochs first, then the lock: claims made under a dead owner's name after this read are not touched.
      const epochs = new Map(this.#holding().map(({ owner, epoch }) => [owner, epoch]))
      for (const owner of epochs.keys()) owners.add(owner)
      owners.delete(this.#owner)
      for (const owner of owners) buryIfDead(this.#path, owner, () => this.#free(owner, epochs.get(owner) ?? 0))
    } catch (fault) {
      // Not finding the dead costs time, not correctness: their leases end by themselves.
      this.#log('warn', 'Could not look for work of dead processes', { fault })
    }
  }

  #free(owner: string, upToEpoch: number): void {
    if (upToEpoch === 0) return
    const freed = this.#connection.changeWithoutSync((sql) => sql.free.all(this.#clock.now(), owner, upToEpoch)) as { kind: string }[]
    if (freed.length > 0 && owner !== this.#owner)
      this.#log('info', 'Took back work of a process that ended', { owner, count: freed.length })
    for (const kind of new Set(freed.map((work) => work.kind))) this.#onFreed(kind)
  }
}
