import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RowQuery } from '../../ports/store.ts'

/** All SQL of the store, prepared once for each connection. */
export function prepareStatements(db: DatabaseSync) {
  const sql = (text: string): StatementSync => db.prepare(text)
  const eventColumns = 'position, stream, seq, at, type, data'
  return {
    begin: sql('BEGIN IMMEDIATE'),
    commit: sql('COMMIT'),

    head: sql('SELECT max(seq) AS head FROM event WHERE stream = ?'),
    hasEvent: sql('SELECT 1 FROM event WHERE position = ?'),
    indexedTo: sql("SELECT value AS position FROM meta WHERE name = 'indexed'"),
    setIndexedTo: sql("UPDATE meta SET value = max(value, ?) WHERE name = 'indexed'"),
    addWords: sql('INSERT OR REPLACE INTO word (rowid, words) VALUES (?, ?)'),
    trimWords: sql(
      `DELETE FROM word WHERE rowid IN (
         SELECT position FROM event WHERE stream = ?1 AND seq < ?2 AND seq < (SELECT max(seq) FROM event WHERE stream = ?1)
       )`,
    ),
    findWords: sql(
      `SELECT ${eventColumns} FROM event WHERE position IN (
         SELECT rowid FROM word WHERE word MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
       ) ORDER BY position DESC`,
    ),
    trim: sql('DELETE FROM event WHERE stream = ?1 AND seq < ?2 AND seq < (SELECT max(seq) FROM event WHERE stream = ?1)'),
    dropSnapshot: sql('DELETE FROM snapshot WHERE stream = ? AND seq < ?'),
    append: sql('INSERT INTO event (stream, seq, at, type, data) VALUES (?, ?, ?, ?, ?)'),
    read: sql(`SELECT ${eventColumns} FROM event WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?`),
    readAll: sql(`SELECT ${eventColumns} FROM event WHERE position > ? ORDER BY position LIMIT ?`),
    readTypes: sql(
      `SELECT ${eventColumns} FROM event WHERE position > ? AND type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
    ),
    position: sql('SELECT max(position) AS position FROM event'),
    changedSince: sql('SELECT position, stream, seq FROM event WHERE position > ? ORDER BY position LIMIT ?'),
    dataVersion: sql('PRAGMA data_version'),

    held: sql('SELECT again_at FROM work WHERE kind = ? AND key = ? AND owner = ? AND epoch = ?'),
    drop: sql('DELETE FROM work WHERE kind = ? AND key = ?'),
    again: sql('UPDATE work SET due_at = again_at, again_at = NULL, owner = NULL, attempts = 0, since = ? WHERE kind = ? AND key = ?'),
    retry: sql(
      `UPDATE work SET due_at = min(?, coalesce(again_at, 9e999)), again_at = NULL, owner = NULL, attempts = max(attempts - ?, 0)
       WHERE kind = ? AND key = ?`,
    ),
    wake: sql(
      `INSERT INTO work (kind, key, due_at, payload, since) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET
         due_at = CASE WHEN owner IS NULL THEN min(due_at, excluded.due_at) ELSE due_at END,
         again_at = CASE WHEN owner IS NULL THEN again_at ELSE min(coalesce(again_at, excluded.due_at), excluded.due_at) END,
         payload = coalesce(excluded.payload, payload)`,
    ),
    anyDue: sql('SELECT 1 FROM work WHERE kind = ? AND due_at <= ? LIMIT 1'),
    due: sql('SELECT key, attempts, payload FROM work WHERE kind = ? AND due_at <= ? ORDER BY due_at LIMIT ?'),
    takeEpochs: sql("UPDATE meta SET value = value + ? WHERE name = 'epoch' RETURNING value"),
    // A wake that came before this claim is answered by it; a later one still stands.
    take: sql(
      `UPDATE work SET due_at = ?, owner = ?, epoch = ?, attempts = attempts + 1, again_at = CASE WHEN again_at > ? THEN again_at END
       WHERE kind = ? AND key = ?`,
    ),
    nameDatabase: sql("INSERT OR IGNORE INTO meta (name, value) VALUES ('database', ?)"),
    check: sql("INSERT OR REPLACE INTO meta (name, value) VALUES ('checked', ?)"),
    time: sql("SELECT value AS time FROM meta WHERE name = 'time'"),
    noteTime: sql("INSERT INTO meta (name, value) VALUES ('time', ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)"),
    setTime: sql("INSERT OR REPLACE INTO meta (name, value) VALUES ('time', ?)"),
    moveWorkBack: sql('UPDATE work SET due_at = due_at - ?1, again_at = again_at - ?1, since = since - ?1'),
    extend: sql('UPDATE work SET due_at = ? WHERE kind = ? AND key = ? AND owner = ? AND epoch = ?'),
    nextDue: sql('SELECT min(due_at) AS due FROM work WHERE kind = ?'),
    owners: sql('SELECT owner, max(epoch) AS epoch FROM work WHERE owner IS NOT NULL GROUP BY owner'),
    free: sql('UPDATE work SET due_at = ?, owner = NULL WHERE owner = ? AND epoch <= ? RETURNING kind'),
    // Steps from kind to kind by the index instead of reading every row of work.
    nextDueOfAll: sql(
      `WITH RECURSIVE every (kind) AS (
         SELECT min(kind) FROM work
         UNION ALL SELECT (SELECT min(kind) FROM work WHERE kind > every.kind) FROM every WHERE every.kind IS NOT NULL
       ) SELECT kind, (SELECT min(due_at) FROM work WHERE work.kind = every.kind) AS due FROM every WHERE kind IS NOT NULL`,
    ),

    once: sql('SELECT value FROM once WHERE key = ?'),
    onceNames: sql('SELECT key, at FROM once WHERE key > ? ORDER BY key LIMIT ?'),
    forget: sql('DELETE FROM once WHERE key = ? AND at < ?'),
    unfinishedSince: sql('SELECT kind, min(coalesce(since, 0)) AS since FROM work GROUP BY kind'),
    remember: sql('INSERT INTO once (key, value, at) VALUES (?, ?, ?)'),

    putRow: sql(
      `INSERT INTO row (view, key, grp, sort, text, folded, body) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (view, key) DO UPDATE SET
         grp = excluded.grp, sort = excluded.sort, text = excluded.text, folded = excluded.folded, body = excluded.body`,
    ),
    // Leaves the indexes alone, which the upsert writes anew even where group and sort stay.
    putBody: sql('UPDATE row SET body = ? WHERE view = ? AND key = ?'),
    dropRow: sql('DELETE FROM row WHERE view = ? AND key = ?'),
    row: sql('SELECT view, key, grp, sort, text, body FROM row WHERE view = ? AND key = ?'),
    countView: sql('SELECT count(*) AS count FROM row WHERE view = ?'),
    countGroup: sql('SELECT count(*) AS count FROM row WHERE view = ? AND grp = ?'),

    putSnapshot: sql('INSERT OR REPLACE INTO snapshot (stream, seq, version, state) VALUES (?, ?, ?, ?)'),
    snapshot: sql('SELECT stream, seq, version, state FROM snapshot WHERE stream = ?'),
  }
}

export type Statements = ReturnType<typeof prepareStatements>

/** The one query whose text depends on what is asked: eight shapes, each prepared when first needed. */
export function rowQueries(db: DatabaseSync): (query: RowQuery) => Record<string, unknown>[] {
  const prepared = new Map<string, StatementSync>()
  return ({ view, group, text, before, limit }) => {
    let where = 'view = ?'
    const values: (string | number)[] = [view]
    if (group !== undefined) {
      where += ' AND grp = ?'
      values.push(group)
    }
    if (text) {
      where += ' AND instr(coalesce(folded, text), ?) > 0'
      values.push(text.toLowerCase())
    }
    if (before) {
      where += ' AND (sort, key) < (?, ?)'
      values.push(before.sort, before.key)
    }
    const statement =
      prepared.get(where) ??
      db.prepare(`SELECT view, key, grp, sort, text, body FROM row WHERE ${where} ORDER BY sort DESC, key DESC LIMIT ?`)
    prepared.set(where, statement)
    return statement.all(...values, limit)
  }
}
