import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { ParleyError } from '../../errors.ts'

export const openFileLimits = { logCheckedEveryMs: 1_000 } as const

type Identity = { dev: number; ino: number }

const readIdentity = (path: string): Identity | null => statSync(path, { throwIfNoEntry: false }) ?? null

/**
 * Notices that the database was removed or replaced while it is open. SQLite goes on writing to the file it opened,
 * which then has no name: everything committed there is lost when the process ends.
 *
 * Checked after each commit, before anything is acknowledged. One stat call costs 10 µs of the 90 µs of CPU time that a
 * commit with one event takes; units that share a commit share it. The write-ahead log is checked at most once a second:
 * without it commits last until the process dies, and the next start then reports the loss.
 */
export class OpenFile {
  readonly #path: string
  readonly #database: Identity | null
  readonly #log: Identity | null
  #logCheckedAt = -Infinity

  /** Once the connection has read something: the log is there from then on. */
  constructor(path: string) {
    this.#path = path
    this.#database = readIdentity(path)
    this.#log = readIdentity(`${path}-wal`)
  }

  assertThere(): void {
    this.#assert(this.#path, this.#database)
    const now = performance.now()
    if (now - this.#logCheckedAt < openFileLimits.logCheckedEveryMs) return
    this.#assert(`${this.#path}-wal`, this.#log)
    this.#logCheckedAt = now
  }

  #assert(path: string, opened: Identity | null): void {
    const identity = readIdentity(path)
    if (identity?.ino !== opened?.ino || identity?.dev !== opened?.dev)
      throw new ParleyError('store_gone', { file: basename(path), what: identity === null ? 'removed' : 'replaced' })
  }
}
