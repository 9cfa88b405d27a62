import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { knownOwners } from './owner-lock.ts'

/**
 * `parley.db-marker`, a small file beside the database. It tells the next start what the database must hold, so that a
 * lost write-ahead log or an older copy is an error and not silently the new truth.
 *
 * | in it      | is                                                          | written                                    |
 * |------------|-------------------------------------------------------------|--------------------------------------------|
 * | `position` | a position that was acknowledged                            | at open and close, at most a second late   |
 * | `database` | a random number that the database holds too                 | at open                                    |
 * | `open`     | the stores that use it now, or ended without closing        | with fsync, before and after all commits   |
 *
 * `position` is a lower bound: a position is on the disk before it is noted here, and the last second may be missing.
 * The log itself covers that second: when it is gone although a store did not close, the start fails whatever the
 * positions are. `open` changes only under the write lock of the database, so two processes do not lose each other's
 * entry. A marker that cannot be read counts as none.
 */
export type MarkerContent = { position: number; database: number | null; open: string[] }

export const markerLimits = { writeEveryMs: 1_000, positionDigits: 16 } as const

const markerPath = (dataPath: string): string => `${dataPath}-marker`

export function readMarker(dataPath: string): MarkerContent | null {
  try {
    const [first = '', rest = ''] = readFileSync(markerPath(dataPath), 'utf8').split('\n')
    const { database, open } = JSON.parse(rest) as { database: unknown; open: unknown }
    const position = Number(first)
    if (!Number.isSafeInteger(position) || !Array.isArray(open)) return null
    return { position, database: typeof database === 'number' ? database : null, open: open.map(String) }
  } catch {
    return null
  }
}

/** Identity stored in the database; a file without tables is empty. */
export function readIdentity(db: DatabaseSync): { position: number; database: number | null } {
  const hasTables = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'event'").get() !== undefined
  if (!hasTables) return { position: 0, database: null }
  const { position } = db.prepare("SELECT coalesce(max(seq), 0) AS position FROM sqlite_sequence WHERE name = 'event'").get() as {
    position: number
  }
  const database = db.prepare("SELECT value FROM meta WHERE name = 'database'").get()?.['value']
  return { position, database: typeof database === 'number' ? database : null }
}

/** The folder is named as a shell takes it, so that the command in the hint can be copied. */
function incomplete(dataPath: string, why: string): ParleyError {
  const folder = resolve(dirname(dataPath))
  const data = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`
  return new ParleyError('store_incomplete', { why, data })
}

/** Before the database is opened, because opening makes a new file and a new log. */
export function assertFilesThere(dataPath: string): void {
  const isSuspicious = (): boolean => {
    const isLogThere = existsSync(`${dataPath}-wal`)
    const marker = readMarker(dataPath)
    if (marker && !existsSync(dataPath))
      throw incomplete(dataPath, `${basename(dataPath)} is missing, and it held ${marker.position} events`)
    return !isLogThere && marker !== null && marker.open.length > 0
  }
  // Twice: between the two looks of the first time, another process may just have opened or closed it.
  if (isSuspicious() && isSuspicious())
    throw incomplete(dataPath, `the write-ahead log ${basename(dataPath)}-wal is missing, and the last process did not end cleanly`)
}

/** `marker` was read before the database was: a process that runs now may be ahead of what was read. */
export function assertUpToDate(dataPath: string, db: DatabaseSync, marker: MarkerContent | null): void {
  if (!marker) return
  const { position, database } = readIdentity(db)
  if (database !== null && marker.database !== null && database !== marker.database)
    throw incomplete(dataPath, 'it is another database than the one that was used here before')
  if (position < marker.position) throw incomplete(dataPath, `it ends at event ${position}, and event ${marker.position} was acknowledged`)
}

/** The entry of one open store in the marker. */
export class Marker {
  readonly #dataPath: string
  readonly #owner: string
  readonly #fd: number
  #position: number
  #written: number
  #timer: NodeJS.Timeout | null = null

  private constructor(dataPath: string, owner: string, fd: number, position: number) {
    this.#dataPath = dataPath
    this.#owner = owner
    this.#fd = fd
    this.#position = position
    this.#written = position
  }

  /** Under the write lock of the database, once dead owners are buried. */
  static open(dataPath: string, owner: string, db: DatabaseSync): Marker {
    const { position, database } = readIdentity(db)
    const open = othersAlive(dataPath, owner, readMarker(dataPath))
    const fd = openSync(markerPath(dataPath), existsSync(markerPath(dataPath)) ? 'r+' : 'w+', 0o600)
    writeContent(fd, { position, database, open: [...open, owner] })
    return new Marker(dataPath, owner, fd, position)
  }

  /** This position is on the disk. */
  acknowledged(position: number): void {
    this.#position = Math.max(this.#position, position)
    if (this.#timer !== null || this.#position === this.#written) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      try {
        writeSync(this.#fd, digits(this.#position), 0)
        this.#written = this.#position
      } catch {
        // A lower position stays there, which is still true.
      }
    }, markerLimits.writeEveryMs)
    this.#timer.unref()
  }

  /** Under the write lock, before the connection is closed and SQLite removes the log. */
  close(): void {
    try {
      const storedMarker = readMarker(this.#dataPath)
      if (storedMarker) {
        const position = Math.max(this.#position, storedMarker.position)
        writeContent(this.#fd, { ...storedMarker, position, open: othersAlive(this.#dataPath, this.#owner, storedMarker) })
      }
    } finally {
      this.release()
    }
  }

  /** Leaves the entry in the file, as a process that dies does. */
  release(): void {
    if (this.#timer) clearTimeout(this.#timer)
    closeSync(this.#fd)
  }
}

/** The database as it is now counts from here on. */
export function acceptDatabase(dataPath: string, db: DatabaseSync): void {
  const fd = openSync(markerPath(dataPath), 'w', 0o600)
  try {
    writeContent(fd, { ...readIdentity(db), open: [] })
  } finally {
    closeSync(fd)
  }
}

export const removeMarker = (dataPath: string): void => rmSync(markerPath(dataPath), { force: true })

/** Dead stores are dropped: what they wrote is in the log, which this process has open. */
function othersAlive(dataPath: string, owner: string, marker: MarkerContent | null): string[] {
  const alive = new Set(knownOwners(dataPath))
  return (marker?.open ?? []).filter((other) => other !== owner && alive.has(other))
}

const digits = (position: number): string => String(position).padStart(markerLimits.positionDigits, '0')

function writeContent(fd: number, { position, database, open }: MarkerContent): void {
  const text = `${digits(position)}\n${JSON.stringify({ database, open })}\n`
  const length = writeSync(fd, text, 0)
  ftruncateSync(fd, length)
  fsyncSync(fd)
}
