import { readFileSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Preloaded into a contender by `compare.ts` and `telegram.ts`: counts what it asks of SQLite and of JSON, and adds the counts to each answer.
 * It knows nothing of the tree it runs in, so that two trees are counted alike.
 */
const counts: Record<string, number> = {
  statements: 0,
  writes: 0,
  rowsChanged: 0,
  parsedBytes: 0,
  writtenJsonBytes: 0,
  parses: 0,
  stringifies: 0,
}
const add = (name: string, amount: number): void => {
  counts[name] = (counts[name] ?? 0) + amount
}

// The setting of the only connection that the contender writes with.
let isSynced = true
const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function counted(this: DatabaseSync, text) {
  add('statements', 1)
  const setting = /^PRAGMA synchronous = (\w+)/i.exec(text)?.[1]
  if (setting !== undefined) isSynced = setting === 'FULL'
  return exec.call(this, text)
}

type Prepared = { run: (...values: unknown[]) => { changes: number | bigint } }
const statement = StatementSync.prototype as unknown as Record<string, (...values: unknown[]) => unknown> & Prepared
const run = statement.run
statement.run = function counted(this: StatementSync, ...values) {
  const result = run.apply(this, values)
  add('statements', 1)
  add('writes', 1)
  const changes = Number(result.changes)
  if (!/^\s*(BEGIN|COMMIT|SAVEPOINT|RELEASE|ROLLBACK|PRAGMA)/i.test(this.sourceSQL)) {
    add('rowsChanged', changes)
    const name = /(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO)\s+(\w+)/i.exec(this.sourceSQL)
    if (name) {
      add(`${name[1]} ${name[2]}`, 1)
      add(`changed ${name[2]}`, changes)
    }
  }
  if (/^\s*COMMIT/i.test(this.sourceSQL)) {
    add('transactions', 1)
    if (isSynced) add('fsyncs', 1)
  }
  return result
}
for (const name of ['get', 'all', 'iterate']) {
  const call = statement[name]
  if (!call) continue
  statement[name] = function counted(this: StatementSync, ...values) {
    add('statements', 1)
    const table = /(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO|FROM)\s+(\w+)/i.exec(this.sourceSQL)
    if (table) add(`${name} ${table[1]} ${table[2]}`, 1)
    return call.apply(this, values)
  }
}

const { parse, stringify } = JSON
JSON.parse = (text, reviver) => {
  add('parses', 1)
  add('parsedBytes', text.length)
  return parse(text, reviver) as unknown
}
JSON.stringify = ((value: unknown, ...more: []) => {
  const text = stringify(value, ...more)
  add('stringifies', 1)
  add('writtenJsonBytes', text === undefined ? 0 : text.length)
  return text
}) as typeof JSON.stringify

const writtenBytes = (): number => Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
let diskBefore = writtenBytes()
const send = process.send?.bind(process)
if (send)
  process.send = ((answer: object, ...more: []) => {
    const disk = writtenBytes()
    const all = { ...answer, ...counts, diskBytes: disk - diskBefore }
    diskBefore = disk
    for (const name of Object.keys(counts)) counts[name] = 0
    return send(all, ...more)
  }) as NonNullable<typeof process.send>
