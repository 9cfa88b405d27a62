import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { ParleyError } from '../../errors.ts'

export const openFileLimits = { logCheckedEveryMs: 1_000 } as const

const identityOf = (path: string): string | null => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.dev}/${stat.ino}` : null
}

/**
 * Notices that the database was removed or replaced while it is open. SQLite goes on writing to the file it opened,
 * which then has no name: everything committed there is lost when the process ends.
 *
 * Checked after each commit, before anything is acknowledged: one stat call. The write-ahead log is checked at most
 * once a second: without it commits last until the process dies, and the next start then reports the loss.
 */
export class OpenFile {
  readonly #path: string
  readonly #database: string | null
  readonly #log: string | null
  #logCheckedAt = -Infinity

  /** Once the connection has read something: the log is there from then on. */
  constructor(path: string) {
    this.#path = path
    this.#database = identityOf(path)
    this.#log = identityOf(`${path}-wal`)
  }

  assertThere(): void {
    this.#assert(this.#path, this.#database)
    const now = performance.now()
    if (now - this.#logCheckedAt < openFileLimits.logCheckedEveryMs) return
    this.#assert(`${this.#path}-wal`, this.#log)
    this.#logCheckedAt = now
  }

  #assert(path: string, opened: string | null): void {
    const found = identityOf(path)
    if (found !== opened) throw new ParleyError('store_gone', { file: basename(path), what: found === null ? 'removed' : 'replaced' })
  }
}
