import { join } from 'node:path'
import { openParley } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { getAnswer, type Round, start, timed } from './contender.ts'
import { countedCommits } from './counted-commits.ts'
import { delegatingTeam } from './delegating-team.ts'
import { floorLog } from './floor-log.ts'
import { many, median, print } from './figure.ts'
import { rest } from './rest.ts'
import { scratch } from './scratch.ts'
import { caller, words } from './words.ts'

/**
 * A delegation: a human speaks, the agent asks a teammate in a side dialog of its own, the teammate answers, the agent
 * replies; each of the four on disk before the next. The floor makes the same requests to the same model and appends by
 * hand as many rows in as many steps: no rules, no claims, no views, no wake-ups.
 */
const folder = scratch('delegations')
const floor = floorLog(join(folder, 'floor.db'))
const store = sqliteStore({ path: join(folder, 'parley.db') })
const counts = countedCommits(store)
const parley = openParley({ store, team: delegatingTeam })
const untilRest = rest(store)

async function delegation(dialog: string, count: number): Promise<void> {
  const firstRest = untilRest(dialog)
  // The wait for the second rest begins in the same moment in which the first is over.
  const replied = firstRest.then(() => untilRest(dialog))
  await parley.dialogs.say(dialog, words(count), caller)
  await replied
}

async function round(side: number, each: number): Promise<Round> {
  const dialogs = await Promise.all(Array.from({ length: side }, () => parley.dialogs.open({ title: 'Orders' }, caller)))
  const before = counts.commits
  const position = await store.position()
  const took = await timed(side * each, async () => {
    await Promise.all(
      dialogs.map(async ({ id }) => {
        for (let count = 0; count < each; count += 1) await delegation(id, count)
      }),
    )
  })
  const [first] = dialogs
  const sideCount = first ? (await parley.dialogs.tree(first.id)).length - 1 : 0
  if (sideCount !== each) throw new Error(`${each} delegations made ${sideCount} side dialogs`)
  const events = (await store.position()) - position
  const floorEvents = side * each * rows.reduce((sum, count) => sum + count, 0)
  if (events !== floorEvents) throw new Error(`${events} events were appended, the floor appends ${floorEvents}`)
  return { ...took, commits: counts.commits - before }
}

/** Number of events that each of the four steps appends. */
const rows = [1, 8, 6, 4] as const
let streamCount = 0

function floorRound(side: number, each: number): Promise<Round> {
  return timed(side * each, async () => {
    await Promise.all(
      Array.from({ length: side }, async () => {
        const stream = `dialog-${(streamCount += 1)}`
        let seq = 0
        for (let step = 0; step < 4 * each; step += 1) {
          const appended = Array.from({ length: rows[step % 4] ?? 1 }, () => floor.append(stream, (seq += 1), words(seq).repeat(2)))
          await Promise.all(appended)
        }
      }),
    )
  })
}

const of = (rounds: Round[], take: (round: Round) => number): number => median(rounds.map(take))
const perSecond = ({ count, seconds }: Round): number => count / seconds
const cpu = ({ count, cpuMs }: Round): number => cpuMs / count

function report(what: string, side: number, ours: Round[], theirs: Round[]): void {
  const at = side === 1 ? 'alone' : `at ${side}`
  const speed = of(ours, perSecond) / of(theirs, perSecond)
  const fsyncs = of(ours, ({ count, commits }) => (commits ?? Number.NaN) / count)
  print({
    bench: 'delegations',
    figure: `delegations per second ${what}, ${at}`,
    value: of(ours, perSecond),
    unit: '1/s',
    floor: of(theirs, perSecond),
    aim: 'ratio ≥ 0.35',
    met: speed >= 0.35,
  })
  print({ bench: 'delegations', figure: `CPU per delegation ${what}, ${at}`, value: of(ours, cpu), unit: 'ms', floor: of(theirs, cpu) })
  print({
    bench: 'delegations',
    figure: `fsyncs per delegation ${what}, ${at}`,
    value: fsyncs,
    unit: 'fsyncs',
    ...(side === 1 ? { aim: '≤ 4', met: fsyncs <= 4 } : {}),
  })
}

/** Both sides in turn; the first rounds only warm the code up. */
async function compared(mine: () => Promise<Round>, its: () => Promise<Round>): Promise<[Round[], Round[]]> {
  const rounds: [Round[], Round[]] = [[], []]
  for (let count = -many(3, 2); count < many(7, 3); count += 1) {
    const [one, other] = [await mine(), await its()]
    if (count < 0) continue
    rounds[0].push(one)
    rounds[1].push(other)
  }
  return rounds
}

// With a model, as people have it.
const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
// Data of its own: two servers on one file would take each other's work.
const apart = scratch('delegations-model')
const [whole, bare] = [start('delegations-parley.ts', [apart, url]), start('delegations-floor.ts', [apart, url])]
const each = 6
await model.ask({ keep: true })
await whole.ask({ dialogs: 1, each })
const { bodies } = await model.ask<{ bodies: string[] }>({ keep: false })
if (bodies.length !== 3 * each) throw new Error(`the model saw ${bodies.length} requests for ${each} delegations`)
for (const dialogs of [1, 64]) {
  const times = dialogs === 1 ? many(12, 5) : 1
  const several = async (ask: () => Promise<Round>): Promise<Round> => {
    const sum: Round = { count: 0, seconds: 0, cpuMs: 0, commits: 0 }
    for (let time = 0; time < times; time += 1)
      for (const [name, value] of Object.entries(await ask())) sum[name] = (sum[name] ?? 0) + value
    return sum
  }
  const rounds = await compared(
    () => several(() => whole.ask({ dialogs, each })),
    () => several(() => bare.ask({ dialogs, bodies })),
  )
  report('with a model', dialogs, ...rounds)
}
await Promise.all([whole.end(), bare.end(), model.end()])

// With agents that think in no time: what Parley itself costs.
for (const { side, count } of [
  { side: 1, count: many(120, 40) },
  { side: 64, count: many(10, 5) },
]) {
  const rounds = await compared(
    () => round(side, count),
    () => floorRound(side, count),
  )
  report('of instant agents', side, ...rounds)
}
await parley.close()
await store.close()
floor.close()
