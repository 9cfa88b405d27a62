import type { DatabaseSync } from 'node:sqlite'
import { ParleyError } from '../../errors.ts'

/** Marks a file as ours ("prly"), so that another program's database is never filled with our tables. */
export const applicationId = 0x70726c79

/**
 * Numbered from 1, forward only, never edited once released: a file is brought up by running what it has not seen.
 *
 * There is no table of streams: a stream's head is the last entry of event(stream, seq), found by one index look-up.
 * A separate head column cost 15 % of append throughput and would be a second truth.
 * AUTOINCREMENT costs 8 % and buys that no position is ever used twice, also after events are moved to an archive.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE event (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (stream, seq)
  ) STRICT;

  -- due_at is when a row can be claimed: its due time, or for claimed work (owner set) the end of the lease.
  CREATE TABLE work (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    due_at REAL NOT NULL,
    again_at REAL,
    owner TEXT,
    epoch INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    payload TEXT,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX work_due ON work (kind, due_at);
  CREATE INDEX work_owner ON work (owner, epoch) WHERE owner IS NOT NULL;

  CREATE TABLE once (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- folded is the lower-case text where that differs: SQLite itself folds only ASCII.
  CREATE TABLE row (
    view TEXT NOT NULL,
    key TEXT NOT NULL,
    grp TEXT NOT NULL,
    sort REAL NOT NULL,
    text TEXT NOT NULL,
    folded TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (view, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX row_sort ON row (view, sort, key);
  CREATE INDEX row_group ON row (view, grp, sort, key);

  CREATE TABLE snapshot (
    stream TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;

  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO meta (name, value) VALUES ('epoch', 0);
  `,
  // When work was woken that is not done since, null for work of version 0.1. Once-only names older than all of it can go.
  'ALTER TABLE work ADD COLUMN since REAL',
  // The words of events, by position: each word once and their group, separated by spaces. See docs/decisions/0061-search-by-own-words.md.
  `
  CREATE VIRTUAL TABLE word USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_-.'"
  );
  INSERT INTO meta (name, value) VALUES ('indexed', 0);
  `,
]

function getNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0])
}

/** All three from one moment: another process may be making the tables just now. */
function listMarks(db: DatabaseSync): { version: number; ours: boolean; empty: boolean } {
  const alone = !db.isTransaction
  if (alone) db.exec('BEGIN')
  try {
    return {
      empty: getNumber(db, 'SELECT count(*) FROM sqlite_schema') === 0,
      version: getNumber(db, 'PRAGMA user_version'),
      ours: getNumber(db, 'PRAGMA application_id') === applicationId,
    }
  } finally {
    if (alone && db.isTransaction) db.exec('COMMIT')
  }
}

/** The version of a file of ours; throws for any other. Only reads, so a stranger's file stays as it is. */
export function schemaVersion(db: DatabaseSync): number {
  const { version, ours, empty } = listMarks(db)
  if (!ours && !(empty && version === 0)) throw new ParleyError('store_damaged', { why: 'the file is a database of another program' })
  if (version > migrations.length) throw new ParleyError('store_newer', { found: version, known: migrations.length })
  return version
}

/** Brings the file up to what this code knows (or, for tests, only up to `target`). Safe when two processes do it at once. */
export function migrate(db: DatabaseSync, target: number = migrations.length): void {
  // Looking first keeps the usual start free of write locks.
  if (schemaVersion(db) >= target) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Asked again under the lock: another process may have been quicker.
    for (let version = schemaVersion(db); version < target; version++) {
      db.exec(migrations[version] ?? '')
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}`)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
