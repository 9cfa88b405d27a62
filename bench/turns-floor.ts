import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Agent, request } from 'undici'
import { serve, timed, type Round } from './contender.ts'

/**
 * The floor: the same request bytes to the same model, the reply read to its end, and one row appended and on disk for
 * each turn, many rows sharing one fsync. No framework, no history, no questions, no recovery.
 */
const [folder = '', url = ''] = process.argv.slice(2)
const db = new DatabaseSync(join(folder, 'floor.db'))
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE event (stream TEXT, seq INTEGER, data TEXT, PRIMARY KEY (stream, seq)) WITHOUT ROWID')
const insert = db.prepare('INSERT INTO event VALUES (?, ?, ?)')
const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
const dispatcher = new Agent({ connections: 256 })
const headers = { 'content-type': 'application/json' }

let waiting: { stream: string; seq: number; data: string; resolve: () => void }[] = []
let commits = 0

function append(stream: string, seq: number, data: string): Promise<void> {
  if (waiting.length === 0) setImmediate(flush)
  return new Promise((resolve) => waiting.push({ stream, seq, data, resolve }))
}

function flush(): void {
  const batch = waiting
  waiting = []
  begin.run()
  for (const { stream, seq, data } of batch) insert.run(stream, seq, data)
  commit.run()
  commits += 1
  for (const { resolve } of batch) resolve()
}

let made = 0

async function round({ dialogs, bodies }: { dialogs: number; bodies: string[] }): Promise<Round> {
  const before = commits
  const streams = Array.from({ length: dialogs }, () => `dialog-${(made += 1)}`)
  const took = await timed(dialogs * bodies.length, async () => {
    await Promise.all(
      streams.map(async (stream) => {
        let seq = 0
        for (const body of bodies) {
          const { statusCode, body: reply } = await request(`${url}/chat/completions`, { method: 'POST', headers, body, dispatcher })
          const text = await reply.text()
          if (statusCode !== 200) throw new Error(`the model answered ${statusCode}`)
          await append(stream, (seq += 1), text)
        }
      }),
    )
  })
  return { ...took, commits: commits - before, units: took.count }
}

serve(round, async () => {
  await dispatcher.close()
  db.close()
})
