import { setTimeout as sleep } from 'node:timers/promises'
import type { ParleyClient } from '../src/client/index.ts'
import { eventually } from '../test/fixtures/eventually.ts'
import { Fleet, type FleetProcess } from '../test/fixtures/fleet.ts'
import { startPostgres, withClient } from '../test/fixtures/postgres-server.ts'
import { many, median, print } from './figure.ts'
import { cpuOfPostgres, readCpu } from './postgres-cpu.ts'

/**
 * Several processes on one PostgreSQL: turns/s with 1, 2 and 4 workers whose model takes 500 ms (32 turns at a time each),
 * wake-up from one process to another, and take-over after SIGKILL. PostgreSQL syncs every commit.
 */
const bench = 'processes'
const concurrency = 32
const postgres = await startPostgres(['fsync=on'])
const limits = `limits: { requestsPerMinute: 1000000, concurrency: ${concurrency} }\n`

const count = (url: string, sql: string, values: unknown[]): Promise<number> =>
  withClient(url, async (client) => Number((await client.query<{ count: string }>(sql, values)).rows[0]?.count ?? 0))

async function openMany(client: ParleyClient, total: number): Promise<void> {
  let left = total
  const person = async (): Promise<void> => {
    while (left-- > 0) await client.dialogs.open({ title: 'load', text: 'work' })
  }
  await Promise.all(Array.from({ length: 24 }, person))
}

async function measureTurns(workers: number): Promise<number> {
  const windowMs = many(8_000, 3_000)
  const url = await postgres.database()
  const fleet = new Fleet(url, ['slow'], limits)
  try {
    const web = await fleet.start('web')
    // Enough for the window and the time that the workers take to start after each other.
    await openMany(web.client(), Math.ceil((workers * concurrency * 2 * (windowMs + many(8_000, 4_000))) / 1_000))
    const started: FleetProcess[] = await Promise.all(Array.from({ length: workers }, () => fleet.start('worker')))
    await sleep(1_000)
    const before = { workers: started.map(({ child }) => readCpu(child.pid)), postgres: cpuOfPostgres() }
    const from = Date.now()
    await sleep(windowMs)
    const to = Date.now()
    const seconds = (to - from) / 1_000
    const cpu = started.map(({ child }, index) => (readCpu(child.pid) - (before.workers[index] ?? 0)) / seconds)
    const cpuPostgres = (cpuOfPostgres() - before.postgres) / seconds
    const done = await count(url, "SELECT count(*) FROM parley.event WHERE type = 'turn.finished' AND at >= $1 AND at < $2", [from, to])
    const left = await count(url, "SELECT count(*) FROM parley.work WHERE kind = 'turn' AND owner IS NULL", [])
    if (left === 0) throw new Error('the work ran out before the window ended')
    print({
      bench,
      figure: `turns per second, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      value: done / seconds,
      unit: '1/s',
      ceiling: workers * concurrency * 2,
      cpuOfWorkers: cpu.map((each) => Number(each.toFixed(2))),
      cpuOfPostgres: Number(cpuPostgres.toFixed(2)),
    })
    if (workers === 1) await measureDisk(url)
    return done / seconds
  } finally {
    await fleet.close()
  }
}

/** Indexes and free space of the pages included, as an installation pays for it. */
async function measureDisk(url: string): Promise<void> {
  const { bytes, events, dialogs } = await withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string; events: string; dialogs: string }>(
      `SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'parley'::regnamespace AND relkind = 'r') AS bytes,
              (SELECT count(*) FROM parley.event) AS events, (SELECT count(*) FROM parley.stream WHERE id LIKE 'dlg_%') AS dialogs`,
    )
    return rows[0] ?? { bytes: 0, events: 0, dialogs: 0 }
  })
  print({ bench, figure: 'disk of one event, views and indexes included', value: Number(bytes) / Number(events), unit: 'bytes' })
  print({
    bench,
    figure: 'disk of a short dialog',
    value: Number(bytes) / Number(dialogs) / 1_000,
    unit: 'kB',
    events: Number(events) / Number(dialogs),
  })
}

const one = await measureTurns(1)
const two = await measureTurns(2)
print({ bench, figure: 'turns per second, 2 workers to 1', value: two / one, unit: '×', aim: '≥ 1.8', met: two / one >= 1.8 })
await measureTurns(4)

const url = await postgres.database()
const fleet = new Fleet(url, ['slow'], limits)
try {
  const web = await fleet.start('web')
  const workers = [await fleet.start('worker'), await fleet.start('worker')]
  const client = web.client()
  const { id } = await client.dialogs.open({ title: 'wake-ups', text: 'now' })
  const untilReady = (dialog: string): Promise<true> =>
    eventually(async () => (await client.dialogs.get(dialog)).status === 'ready', `the reply in ${dialog}`, { everyMs: 5 })
  await untilReady(id)
  for (let round = 0; round < many(200, 20); round += 1) {
    await client.dialogs.say(id, 'now')
    await untilReady(id)
  }
  const delays = await withClient(url, async (database) => {
    const { rows } = await database.query<{ delay: number }>(
      `SELECT started.at - said.at AS delay FROM parley.event started
       JOIN parley.event said ON said.stream = started.stream AND said.seq = started.seq - 1 AND said.type = 'message.said'
       WHERE started.stream = $1 AND started.type = 'turn.started' ORDER BY 1`,
      [id],
    )
    return rows.map(({ delay }) => delay)
  })
  const p50 = median(delays)
  print({ bench, figure: 'wake-up in another process, p50', value: p50, unit: 'ms', samples: delays.length, aim: '≤ 10', met: p50 <= 10 })
  print({ bench, figure: 'wake-up in another process, p99', value: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN, unit: 'ms' })

  const findOwner = (dialog: string): Promise<string | null> =>
    withClient(url, async (database) => {
      const sql = "SELECT owner FROM parley.work WHERE kind = 'turn' AND key = $1"
      return (await database.query<{ owner: string | null }>(sql, [dialog])).rows[0]?.owner ?? null
    })
  const took: number[] = []
  for (let round = 0; round < many(5, 2); round += 1) {
    const { id: hung } = await client.dialogs.open({ title: 'hangs', text: 'hang' })
    const owner = await eventually(() => findOwner(hung), 'a worker has claimed it')
    const index = workers.findIndex(({ child }) => owner.startsWith(`live-${child.pid}-`))
    const killedAt = performance.now()
    await workers[index]?.end('SIGKILL')
    await eventually(async () => ![owner, null].includes(await findOwner(hung)), 'another worker took over')
    took.push(performance.now() - killedAt)
    await client.dialogs.stop(hung)
    workers[index] = await fleet.start('worker')
  }
  print({
    bench,
    figure: 'take-over after SIGKILL',
    value: median(took) / 1_000,
    unit: 's',
    longest: Math.max(...took) / 1_000,
    aim: '≤ lease + 1 s (31 s)',
    met: Math.max(...took) <= 31_000,
  })
} finally {
  await fleet.close()
}
await postgres.stop()
