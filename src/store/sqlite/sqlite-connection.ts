import type { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'
import { countCommit } from './known-heads.ts'
import { openDatabase } from './open-database.ts'
import { OpenFile } from './open-file.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { storeFault } from './store-fault.ts'

/** One open file: asks and changes, with SQLite's errors put into the words of the catalogue. */
export class SqliteConnection {
  readonly db: DatabaseSync
  readonly sql: Statements
  readonly #file: OpenFile
  #closed = false

  constructor(path: string) {
    this.db = openDatabase(path)
    try {
      this.sql = prepareStatements(this.db)
      this.#file = new OpenFile(path)
    } catch (error) {
      this.db.close()
      const fault = storeFault(error)
      // The file says it is of our version, yet our statements do not fit its tables.
      throw fault instanceof ParleyError ? fault : new ParleyError('store_damaged', { why: (error as Error).message }, { cause: error })
    }
  }

  assertOpen(): void {
    if (this.#closed) throw new ParleyError('store_closed')
  }

  ask<T>(read: (sql: Statements) => T): T {
    this.assertOpen()
    try {
      return read(this.sql)
    } catch (error) {
      throw storeFault(error)
    }
  }

  /** All of `change` or nothing, on the disk when this returns, and in the file that has the name of the database. */
  change<T>(change: (sql: Statements) => T): T {
    this.assertOpen()
    try {
      this.sql.begin.run()
      const result = change(this.sql)
      this.sql.commit.run()
      countCommit()
      this.#file.assertThere()
      return result
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      throw storeFault(error)
    }
  }

  /** The same without an fsync, for what a power cut may take back. The setting cannot change inside a transaction. */
  changeWithoutSync<T>(change: (sql: Statements) => T): T {
    this.assertOpen()
    this.db.exec('PRAGMA synchronous = NORMAL')
    try {
      return this.change(change)
    } finally {
      this.db.exec('PRAGMA synchronous = FULL')
    }
  }

  close(): void {
    this.#closed = true
    this.db.close()
  }
}
