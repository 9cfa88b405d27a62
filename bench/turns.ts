import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { getAnswer, type Contender, type Round, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { isProfiled, profiled } from './profile.ts'
import { scratch } from './scratch.ts'

/** Durable turns/s and CPU ms per turn, alone and with 64 dialogs side by side, beside the floor; fsyncs per turn. */
const folder = scratch('turns')
const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
const parley = start('turns-parley.ts', [folder, url])
const floor = start('turns-floor.ts', [folder, url])

const turnsEach = 12
const keep = (on: boolean): Promise<{ bodies: string[]; served: number }> => model.ask({ keep: on })

await keep(true)
await parley.ask({ dialogs: 1, turns: turnsEach })
const { bodies } = await keep(false)
if (bodies.length !== turnsEach) throw new Error(`the model saw ${bodies.length} requests of a dialog of ${turnsEach} turns`)

const perSecond = ({ count, seconds }: Round): number => count / seconds
const cpu = ({ count, cpuMs }: Round): number => cpuMs / count
const fsyncs = ({ count, commits }: Round): number => (commits ?? Number.NaN) / count

for (const { dialogs, rounds, repeat } of [
  { dialogs: 1, rounds: many(9, 3), repeat: many(12, 4) },
  { dialogs: 64, rounds: many(9, 3), repeat: 1 },
]) {
  // A profile is of the loaded case: alone, most samples would be waiting for the disk.
  if (isProfiled && dialogs === 1) continue
  const ours: Round[] = []
  const theirs: Round[] = []
  const both = async (): Promise<void> => {
    ours.push(await several(parley, repeat, { dialogs, turns: turnsEach }))
    theirs.push(await several(floor, repeat, { dialogs, bodies }))
  }
  for (let round = 0; round < many(4, 2); round += 1) await both()
  // So far the code was warmed up, which does not count.
  ours.length = theirs.length = 0
  await profiled(parley, async () => {
    for (let round = 0; round < rounds; round += 1) await both()
  })
  const bench = 'turns'
  const at = dialogs === 1 ? 'alone' : `at ${dialogs}`
  const of = (all: Round[], take: (round: Round) => number): number => median(all.map(take))
  const speed = of(ours, perSecond) / of(theirs, perSecond)
  const cost = of(ours, cpu) / of(theirs, cpu)
  const perTurn = of(ours, fsyncs)
  const loaded = dialogs > 1
  print({
    bench,
    figure: `turns per second ${at}`,
    value: of(ours, perSecond),
    unit: '1/s',
    floor: of(theirs, perSecond),
    ...(loaded ? { aim: 'ratio ≥ 0.4', met: speed >= 0.4 } : {}),
  })
  print({
    bench,
    figure: `CPU per turn ${at}`,
    value: of(ours, cpu),
    unit: 'ms',
    floor: of(theirs, cpu),
    ...(loaded ? { aim: 'ratio ≤ 2.5', met: cost <= 2.5 } : {}),
  })
  const limit = loaded ? 0.5 : 2
  print({
    bench,
    figure: `fsyncs per turn ${at}`,
    value: perTurn,
    unit: 'fsyncs',
    floor: of(theirs, fsyncs),
    aim: loaded ? 'well below 1' : '≤ 2',
    met: perTurn <= limit,
  })
}

await parley.end()

if (spawnSync('strace', ['-V']).status === 0) {
  for (const dialogs of [1, 64]) {
    const trace = join(folder, `strace-${dialogs}`)
    const traced = start('turns-parley.ts', [scratch('traced'), url], {
      execPath: 'strace',
      execArgv: ['-f', '-e', 'trace=fsync,fdatasync', '-o', trace, process.execPath],
    })
    await traced.ask({ dialogs, turns: 2 })
    const before = syncs(trace)
    const { count, commits } = await traced.ask<Round>({ dialogs, turns: 10 })
    const counted = syncs(trace) - before
    await traced.end()
    print({
      bench: 'turns',
      figure: `fsyncs per turn, seen by strace, ${dialogs === 1 ? 'alone' : `at ${dialogs}`}`,
      value: counted / count,
      unit: 'fsyncs',
      commits: (commits ?? 0) / count,
    })
  }
}
await Promise.all([floor.end(), model.end()])

/** Short rounds are made longer by doing them several times: a figure of 12 turns would be noise. */
async function several(contender: Contender, times: number, command: object): Promise<Round> {
  const sum: Round = { count: 0, seconds: 0, cpuMs: 0 }
  for (let time = 0; time < times; time += 1) {
    for (const [name, value] of Object.entries(await contender.ask<Round>(command))) sum[name] = (sum[name] ?? 0) + value
  }
  return sum
}

function syncs(trace: string): number {
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /f(data)?sync\(/.test(line)).length
}
