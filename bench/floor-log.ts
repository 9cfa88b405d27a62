import { DatabaseSync } from 'node:sqlite'

type Row = { stream: string; seq: number; data: string }

/** The least a durable log can be: one row appended, many rows sharing one fsync. WAL, synchronous=FULL, nothing else. */
export type FloorLog = {
  append(stream: string, seq: number, data: string): Promise<void>
  /** One transaction, now. */
  write(rows: readonly Row[]): void
  readonly commits: number
  close(): void
}

export function floorLog(path: string): FloorLog {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE IF NOT EXISTS event (position INTEGER PRIMARY KEY, stream TEXT, seq INTEGER, data TEXT)')
  const insert = db.prepare('INSERT INTO event (stream, seq, data) VALUES (?, ?, ?)')
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  let waiting: (Row & { resolve: () => void })[] = []
  let commits = 0

  function write(rows: readonly Row[]): void {
    begin.run()
    for (const { stream, seq, data } of rows) insert.run(stream, seq, data)
    commit.run()
    commits += 1
  }

  function flush(): void {
    const batch = waiting
    waiting = []
    write(batch)
    for (const { resolve } of batch) resolve()
  }

  return {
    append(stream, seq, data) {
      if (waiting.length === 0) setImmediate(flush)
      return new Promise((resolve) => waiting.push({ stream, seq, data, resolve }))
    },
    write,
    get commits() {
      return commits
    },
    close: () => db.close(),
  }
}
