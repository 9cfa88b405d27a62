import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import type { Store } from '../../ports/store.ts'
import { folderFiles } from '../folder-files.ts'
import { type CopyProgress, getPart, moveStates, type PartName, rawParts, type RawRow, type RawStore } from '../raw-store.ts'
import { buryIfDead, knownOwners } from './owner-lock.ts'
import { sqliteStore } from './sqlite-store.ts'

/** Throws while a server uses the file. */
function assertUnused(path: string): void {
  if (!existsSync(dirname(path))) return
  for (const owner of knownOwners(path))
    if (!buryIfDead(path, owner, () => {})) throw new ParleyError('store_locked', { why: 'a server is running on it' })
}

/** The file of a data folder. The store is opened as well: it releases work of dead processes and keeps the marker right. */
export function openSqliteRaw(path: string): RawStore {
  assertUnused(path)
  const store = sqliteStore({ path, ignoresMove: true })
  return new SqliteRaw(path, store, new DatabaseSync(path, { timeout: 5_000 }))
}

class SqliteRaw implements RawStore {
  readonly label: string
  readonly files: RawStore['files']
  readonly #store: Store
  readonly #db: DatabaseSync

  constructor(path: string, store: Store, db: DatabaseSync) {
    this.label = path
    this.files = folderFiles(join(dirname(path), 'files'))
    this.#store = store
    this.#db = db
  }

  async identity(): Promise<number> {
    return this.#meta('database') ?? 0
  }

  async isEmpty(): Promise<boolean> {
    for (const { name } of rawParts) if ((await this.count(name)) > 0) return false
    return (await this.files.list('', 1)).length === 0
  }

  async count(part: PartName): Promise<number> {
    return Number(this.#db.prepare(`SELECT count(*) AS count FROM ${part}`).get()?.['count'])
  }

  async read(part: PartName, after: RawRow | null, limit: number): Promise<RawRow[]> {
    const { columns, keys } = getPart(part)
    const key = columns.slice(0, keys).join(', ')
    const where = after ? `WHERE (${key}) > (${after.map(() => '?').join(', ')})` : ''
    // Work of a process that is gone is due at once; its count of attempts stays.
    const selected = columns.map((column) =>
      part === 'work' && column === 'due_at' ? 'CASE WHEN owner IS NULL THEN due_at ELSE 0 END AS due_at' : column,
    )
    const query = this.#db.prepare(`SELECT ${selected.join(', ')} FROM ${part} ${where} ORDER BY ${key} LIMIT ?`)
    const rows = query.all(...((after ?? []) as SQLInputValue[]), limit) as Record<string, RawRow[number]>[]
    return rows.map((row) => columns.map((column) => (column === 'since' ? (row[column] ?? 0) : (row[column] ?? null))))
  }

  async write(part: PartName, rows: readonly RawRow[], progress: CopyProgress): Promise<void> {
    const { columns } = getPart(part)
    const extra = part === 'row' ? ['folded'] : []
    const names = [...columns, ...extra]
    this.#change(() => {
      const insert = this.#db.prepare(`INSERT INTO ${part} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      for (const row of rows) insert.run(...([...row, ...(part === 'row' ? [foldedText(String(row[4]))] : [])] as SQLInputValue[]))
      this.#setProgress(progress)
    })
  }

  async putBack(events: readonly RawRow[]): Promise<void> {
    this.#change(() => {
      const insert = this.#db.prepare(
        'INSERT INTO event (position, stream, seq, at, type, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      for (const event of events) insert.run(...(event as SQLInputValue[]))
    })
  }

  async progress(): Promise<CopyProgress | null> {
    if (!this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'copy_progress'").get()) return null
    return JSON.parse(String(this.#db.prepare('SELECT progress FROM copy_progress').get()?.['progress'])) as CopyProgress
  }

  async begin(progress: CopyProgress): Promise<void> {
    this.#change(() => {
      this.#db.exec('CREATE TABLE copy_progress (progress TEXT NOT NULL)')
      this.#db.prepare('INSERT INTO copy_progress (progress) VALUES (?)').run(JSON.stringify(progress))
      this.#setMeta('moved', moveStates.indexOf('copying'))
    })
  }

  async finish(): Promise<void> {
    this.#change(() => {
      this.#db.exec("UPDATE meta SET value = max(value, (SELECT coalesce(max(epoch), 0) FROM work)) WHERE name = 'epoch'")
      this.#db.exec('DROP TABLE copy_progress')
      this.#setMeta('moved', moveStates.indexOf('here'))
    })
  }

  async moveState(): Promise<(typeof moveStates)[number]> {
    return moveStates[this.#meta('moved') ?? 0] ?? 'moved'
  }

  async setMoveState(state: (typeof moveStates)[number]): Promise<void> {
    this.#change(() => this.#setMeta('moved', moveStates.indexOf(state)))
  }

  async close(): Promise<void> {
    this.#db.close()
    await this.#store.close()
  }

  #meta(name: string): number | null {
    const row = this.#db.prepare('SELECT value FROM meta WHERE name = ?').get(name)
    return row ? Number(row['value']) : null
  }

  #setMeta(name: string, value: number): void {
    this.#db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
  }

  #setProgress(progress: CopyProgress): void {
    this.#db.prepare('UPDATE copy_progress SET progress = ?').run(JSON.stringify(progress))
  }

  #change(change: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      change()
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }
}

const foldedText = (text: string): string | null => (text.toLowerCase() === text ? null : text.toLowerCase())
