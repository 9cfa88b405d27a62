import { join } from 'node:path'
import { eventually } from '../test/fixtures/eventually.ts'
import { Fleet, type FleetProcess } from '../test/fixtures/fleet.ts'
import { startPostgres, withClient } from '../test/fixtures/postgres-server.ts'
import { many, median, print } from './figure.ts'
import { cpuOfPostgres, readCpu } from './postgres-cpu.ts'

/**
 * Dialogs that wait on a question, a million of them on one PostgreSQL that syncs every commit: disk, start-up of a process, and
 * the cost of one answer beside the same on a store with a few. They are copies of one dialog that was really opened and asked,
 * with ids of their own, written by SQL: opening each would take hours and end in the same rows.
 */
const bench = 'million'
const dialogs = many(1_000_000, 20_000)
const perInsert = 50_000
const answersEach = many(30, 8)
const postgres = await startPostgres(['fsync=on', 'max_wal_size=4GB'])
const url = await postgres.database()
const fleet = new Fleet(url, ['slow'], 'limits: { requestsPerMinute: 1000000 }\n')

type Waiting = { dialog: string; question: string }
type Cost = { ms: number; cpuMs: number }

/** An installed package is plain JavaScript; here the sources are read, and the cache spares them being stripped each time. */
async function start(): Promise<{ process: FleetProcess; seconds: number }> {
  const before = performance.now()
  const process = await fleet.start(null, { env: { NODE_COMPILE_CACHE: join(fleet.dir, 'compiled') } })
  return { process, seconds: (performance.now() - before) / 1_000 }
}

async function measureStarts(): Promise<number> {
  const starts: number[] = []
  for (let round = 0; round < many(5, 2); round += 1) {
    const { process, seconds } = await start()
    starts.push(seconds)
    await process.end('SIGTERM')
  }
  return median(starts)
}

async function openWaiting(process: FleetProcess): Promise<Waiting> {
  const client = process.client()
  const { id: dialog } = await client.dialogs.open({ title: 'waits', text: 'ask' })
  const question = await eventually(async () => (await client.dialogs.get(dialog)).questions[0]?.id, 'the question', { everyMs: 2 })
  return { dialog, question }
}

/** From the answer until the reply that follows it is stored. */
async function answer({ client, child }: FleetProcess, { dialog, question }: Waiting): Promise<Cost> {
  const api = client()
  const cpu = (): number => readCpu(child.pid) + cpuOfPostgres()
  const before = { at: performance.now(), cpu: cpu() }
  await api.questions.answer(question, { text: 'blue' })
  await eventually(async () => (await api.dialogs.get(dialog)).status === 'ready', `the reply in ${dialog}`, { everyMs: 2 })
  return { ms: performance.now() - before.at, cpuMs: (cpu() - before.cpu) * 1_000 }
}

async function answerAll(process: FleetProcess, all: readonly Waiting[]): Promise<Cost> {
  const costs: Cost[] = []
  for (const each of all) costs.push(await answer(process, each))
  // The first ones warm the code up.
  const counted = costs.slice(Math.min(5, costs.length >> 1))
  return { ms: median(counted.map(({ ms }) => ms)), cpuMs: counted.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / counted.length }
}

const copyId = (id: string, number: string): string => `left('${id}', -7) || lpad(to_hex(${number}), 7, '0')`

/** Writes copies of a waiting dialog. Their ids end with the number of the copy. */
async function copy({ dialog, question }: Waiting): Promise<void> {
  await withClient(url, async (client) => {
    const renamed = (column: string): string =>
      `replace(replace(${column}, '${dialog}', ${copyId(dialog, 'copy')}), '${question}', ${copyId(question, 'copy')})`
    const rows = `view_row WHERE position('${dialog}' in key || grp || body) > 0 OR position('${question}' in key || body) > 0`
    for (let done = 0; done < dialogs; done += perInsert) {
      const copies = `generate_series(${done + 1}, ${Math.min(done + perInsert, dialogs)}) AS copy`
      await client.query('BEGIN; SET LOCAL search_path = parley')
      await client.query(
        `INSERT INTO stream (id, head) SELECT ${copyId(dialog, 'copy')}, head FROM stream, ${copies} WHERE id = '${dialog}'`,
      )
      await client.query(
        `INSERT INTO event (position, stream, seq, at, type, data)
         SELECT nextval('position'), ${copyId(dialog, 'copy')}, seq, at, type, ${renamed('data')}
         FROM ${copies}, (SELECT * FROM event WHERE stream = '${dialog}' ORDER BY seq) AS original ORDER BY copy, seq`,
      )
      await client.query(
        `INSERT INTO view_row (view, key, grp, sort, folded, text, raw, body)
         SELECT view, ${renamed('key')}, ${renamed('grp')}, sort + copy, folded, text, raw, ${renamed('body')}
         FROM ${copies}, (SELECT * FROM ${rows}) AS original`,
      )
      await client.query('COMMIT')
      process.stderr.write(`${Math.min(done + perInsert, dialogs)} of ${dialogs} dialogs\n`)
    }
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  })
}

const getSize = (): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')
    return Number(rows[0]?.bytes)
  })

try {
  const first = await start()
  const opened: Waiting[] = []
  for (let number = 0; number <= answersEach; number += 1) opened.push(await openWaiting(first.process))
  const [original, ...few] = opened
  if (!original) throw new Error('nothing waits')
  const empty = await answerAll(first.process, few)
  await first.process.end('SIGTERM')
  const startedEmpty = await measureStarts()

  const before = await getSize()
  await copy(original)
  const bytes = (await getSize()) - before
  print({ bench, figure: `disk of ${dialogs.toLocaleString('en-US')} waiting dialogs`, value: bytes / 1e9, unit: 'GB' })
  print({ bench, figure: 'disk of one waiting dialog', value: bytes / dialogs / 1e3, unit: 'kB' })

  const started = await measureStarts()
  print({
    bench,
    figure: 'start of a process, beside a store with few dialogs',
    value: started,
    unit: 's',
    floor: startedEmpty,
    aim: '≤ 2 s',
    met: started <= 2,
  })

  const { process } = await start()
  const step = Math.floor(dialogs / answersEach)
  const spread = await withClient(url, async (client) => {
    const ids = (number: number): string =>
      `SELECT ${copyId(original.dialog, String(number))} AS dialog, ${copyId(original.question, String(number))} AS question`
    const numbers = Array.from({ length: answersEach }, (_, index) => index * step + 1)
    return (await client.query<Waiting>(numbers.map(ids).join(' UNION ALL '))).rows
  })
  const full = await answerAll(process, spread)
  print({
    bench,
    figure: 'one answer until its reply is stored, beside a store with few dialogs',
    value: full.ms,
    unit: 'ms',
    floor: empty.ms,
    aim: 'ratio ≤ 2',
    met: full.ms <= 2 * empty.ms,
  })
  print({
    bench,
    figure: 'CPU of one answer, process and PostgreSQL, beside a store with few dialogs',
    value: full.cpuMs,
    unit: 'ms',
    floor: empty.cpuMs,
    aim: 'ratio ≤ 2',
    met: full.cpuMs <= 2 * empty.cpuMs,
  })
} finally {
  await fleet.close()
  await postgres.stop()
}
