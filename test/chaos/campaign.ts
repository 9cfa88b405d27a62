import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { Fleet } from '../fixtures/fleet.ts'
import { startPostgres, withClient } from '../fixtures/postgres-server.ts'
import { Chance } from '../simulation/chance.ts'
import { check, type RawEvent, type Verdict } from './checker.ts'
import { type Arena, chooseKind, type FaultKind, faultKinds, chooseRest, inject, type Slot } from './faults.ts'
import { faultyLine } from './faulty-line.ts'
import { Load } from './load.ts'
import { Retirement, type RetirementCounts } from './retirement.ts'

export type CampaignOptions = {
  faults: number
  seed: number
  /** Kinds that may occur; all unless given. */
  kinds?: readonly FaultKind[]
  /** Mean pause between two faults. A fault also waits until the processes are up and work was acknowledged since the last one. */
  everyMs: number
  /** No more faults after this time, however many are left. */
  mostSeconds?: number
  people: number
  chats: number
  onRow(row: string): void
}

export type CampaignReport = {
  seconds: number
  faults: Record<string, number>
  acknowledged: number
  unanswered: number
  readings: number
  retirement: RetirementCounts
  /** From the last fault until everything had come to rest. */
  restSeconds: number
  verdict: Verdict
}

const pacing = { changes: 2, workers: 2, longestMs: 20_000 } as const
const privateStreams = new Set(['tokens', 'sessions', 'build-tokens'])
const clockModule = new URL('./shifted-clock.ts', import.meta.url).href

/** Three workers and a web process on one PostgreSQL, under load and faults; then the checker's verdict. */
export async function campaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, onRow } = options
  const startedAt = performance.now()
  const chance = new Chance(seed)
  // Commits must survive an immediate restart as they do in production.
  const postgres = await startPostgres(['fsync=on'])
  const url = await postgres.database()
  const line = await faultyLine(Number(new URL(url).port))
  const telegram = await telegramEmulator()
  const throughLine = url.replace(/:\d+\//, `:${line.port}/`)
  const account = [`token: ${JSON.stringify(telegram.token)}`, `apiRoot: ${telegram.url}`, 'allow: { people: ["*"] }']
  const rates = 'rates: { perChatPerSecond: 1000, perGroupPerMinute: 60000, perSecond: 1000 }'
  const fleet = new Fleet(
    throughLine,
    ['chaos', 'helper'],
    `channels:\n  telegram:\n${[...account, rates].map((each) => `    ${each}\n`).join('')}`,
  )
  const slots: Slot[] = ['web', 'worker 1', 'worker 2', 'worker 3'].map((name, index) => ({
    name,
    only: index === 0 ? 'web' : 'worker',
    process: null,
    busy: false,
    clock: join(fleet.dir, `clock-${index}`),
  }))
  const retirement = new Retirement(fleet.dir, throughLine)
  const onSignal = (): void => void fleet.close().then(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  let webPort = 0
  const setClock = (slot: Slot, aheadMs: number): void => writeFileSync(slot.clock, String(aheadMs))
  const restart = async (slot: Slot): Promise<void> => {
    const env = { PARLEY_CHAOS_CLOCK: slot.clock, NODE_OPTIONS: `--import ${clockModule}`, NODE_COMPILE_CACHE: join(fleet.dir, 'compiled') }
    // PostgreSQL may be away while it starts: then it ends, as under systemd, and is started again.
    for (let tries = 1; ; tries += 1) {
      try {
        slot.process = await fleet.start(slot.only, { port: slot.only === 'web' ? webPort : 0, env })
        return
      } catch (error) {
        if (tries === 20) throw error
        await sleep(300)
      }
    }
  }
  try {
    for (const slot of slots) setClock(slot, 0)
    // One after the other: the first one makes the tables and fills the cache of compiled modules.
    for (const slot of slots) await restart(slot)
    const web = slots[0]?.process?.url ?? ''
    webPort = Number(new URL(web).port)
    const load = new Load({ url: web, token: fleet.token, telegram, people: options.people, chats: options.chats })
    load.start()
    const restedMs = chooseRest(options.kinds ?? faultKinds)
    const arena: Arena = {
      chance,
      postgres,
      line,
      slots,
      retirement,
      restedMs,
      countRested: () => countRested(url, restedMs),
      restart,
      setClock,
      pause: sleep,
    }
    const counted = await injectAll(options, arena, load)
    const quietAt = performance.now()
    onRow(row(startedAt, 'quiet', 'no more faults; everything comes to rest', load))
    for (const slot of slots) setClock(slot, 0)
    // A disk that is full, then one with space: every campaign has retired dialogs in the end.
    await load.finish(async () => {
      await retirement.run(0, { mostKilobytes: 0 })
      await retirement.run(0)
    })
    if (load.stuck.length === 0) await untilNoWork(url)
    const restSeconds = (performance.now() - quietAt) / 1_000
    const events = await readRaw(url)
    const verdict = check(events, {
      acknowledged: load.acknowledged,
      written: load.written,
      shown: telegram.requests.filter(({ method }) => method === 'sendMessage').map(({ params }) => String(params['text'])),
      effects: fleet.marks().map((mark) => ({ key: mark.split(' ')[0] ?? '', word: mark.split(' ')[1] ?? '' })),
      readings: load.readings,
      archive: retirement.files(),
      isPrivate: (stream) => privateStreams.has(stream),
    })
    verdict.violations.push(...load.stuck, ...retirement.violations)
    if (retirement.counts.refusedByFullDisk === 0) verdict.violations.push('archive: no retirement met the full disk')
    for (const failure of telegram.failures) verdict.violations.push(`chat: ${failure}`)
    if (verdict.violations.length > 0 && process.env['PARLEY_CHAOS_KEEP'])
      writeFileSync(
        process.env['PARLEY_CHAOS_KEEP'],
        JSON.stringify({ events, readings: load.readings, said: slots.map(({ name, process: one }) => [name, one?.said()]) }),
      )
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      faults: counted,
      acknowledged: load.acknowledged.length,
      unanswered: load.unanswered,
      readings: load.readings.length,
      retirement: retirement.counts,
      restSeconds,
      verdict,
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
    await fleet.close()
    await line.close()
    await telegram.close()
    await postgres.stop()
  }
}

async function injectAll(options: CampaignOptions, arena: Arena, load: Load): Promise<Record<string, number>> {
  const { faults, kinds = faultKinds, everyMs, mostSeconds = Infinity, onRow } = options
  const startedAt = performance.now()
  const counted: Record<string, number> = {}
  const lasting = new Set<Promise<void>>()
  for (let count = 0; count < faults && performance.now() - startedAt < mostSeconds * 1_000;) {
    const before = load.acknowledged.length
    await sleep(everyMs * (0.3 + 1.4 * arena.chance.next()))
    await untilWorking(arena, load, before)
    const kind = chooseKind(arena.chance, kinds)
    const injected = await inject(kind, arena)
    if (!injected) continue
    count += 1
    counted[kind] = (counted[kind] ?? 0) + 1
    onRow(row(startedAt, kind, injected.about, load, count))
    const end = injected.end
    if (end) {
      lasting.add(end)
      void end.finally(() => lasting.delete(end))
    }
  }
  await Promise.all(lasting)
  return counted
}

/** A fault in processes that are down would show nothing. Half of them is enough, and so is waiting for long. */
async function untilWorking({ slots }: Arena, load: Load, before: number): Promise<void> {
  const isUp = (slot: Slot): boolean => slot.process !== null && !slot.busy
  for (const end = performance.now() + pacing.longestMs; performance.now() < end; await sleep(50)) {
    const workers = slots.filter((slot) => slot.only === 'worker' && isUp(slot)).length
    if (
      slots.some((slot) => slot.only === 'web' && isUp(slot)) &&
      workers >= pacing.workers &&
      load.acknowledged.length >= before + pacing.changes
    )
      return
  }
}

function row(startedAt: number, kind: string, about: string, load: Load, number?: number): string {
  const at = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
  return `| ${number ?? ''} | ${at} | ${kind} | ${about} | ${load.acknowledged.length} |`
}

export const tableHead = '| fault | at | what | details | acknowledged |\n|---|---|---|---|---|'

async function countRested(url: string, restedMs: number): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM parley.event event JOIN parley.stream stream ON stream.id = event.stream AND stream.head = event.seq
       WHERE event.type = 'turn.finished' AND event.at < $1`,
      [Date.now() - restedMs],
    )
    return Number(rows[0]?.count ?? 0)
  })
}

async function readRaw(url: string): Promise<RawEvent[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ position: string; stream: string; seq: string; type: string; data: string }>(
      'SELECT position, stream, seq, type, data FROM parley.event ORDER BY position',
    )
    return rows.map(({ position, stream, seq, type, data }) => ({
      position: Number(position),
      stream,
      seq: Number(seq),
      type,
      data: JSON.parse(data) as Record<string, unknown>,
    }))
  })
}

/** Work that is due is done; timers of later may stay. */
async function untilNoWork(url: string): Promise<void> {
  const end = performance.now() + 120_000
  for (;;) {
    const pendingWork = await withClient(url, async (client) => {
      const { rows } = await client.query<{ kind: string; key: string }>(
        'SELECT kind, key FROM parley.work WHERE owner IS NULL AND due_at <= extract(epoch FROM clock_timestamp()) * 1000',
      )
      return rows
    })
    if (pendingWork.length === 0) return
    if (performance.now() > end) throw new Error(`work that nobody does: ${JSON.stringify(pendingWork.slice(0, 10))}`)
    await sleep(200)
  }
}
