import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres-server.ts'
import { type Contender, getAnswer, type Round, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { cpuOfPostgres } from './postgres-cpu.ts'
import { scratch } from './scratch.ts'

/**
 * Turns of 64 dialogs on PostgreSQL, beside LangGraph with its PostgreSQL saver: the same model, the same server, which syncs
 * every commit, in alternating rounds. The packages are installed by name into a folder of this run.
 */
const bench = 'langgraph'
const packages = {
  '@langchain/core': '1.2.13',
  '@langchain/langgraph': '1.4.0',
  '@langchain/langgraph-checkpoint': '1.1.5',
  '@langchain/langgraph-checkpoint-postgres': '1.0.5',
  zod: '4.6.7',
}
const folder = scratch('langgraph')
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
if (status !== 0) throw new Error(`the packages could not be installed: ${stderr}`)

const postgres = await startPostgres(['fsync=on'])
const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
const parley = start('turns-parley.ts', [folder, url, await postgres.database()])
const theirs = start('turns-langgraph.ts', [folder, url, await postgres.database()])

const dialogs = 64
const turns = 12
type Measured = Round & { cpuMsOfPostgres: number }
type Side = { contender: Contender; command: object; rounds: Measured[] }
const sides: Record<'parley' | 'async' | 'sync' | 'exit', Side> = {
  parley: { contender: parley, command: { dialogs, turns }, rounds: [] },
  async: { contender: theirs, command: { dialogs, turns, durability: 'async' }, rounds: [] },
  sync: { contender: theirs, command: { dialogs, turns, durability: 'sync' }, rounds: [] },
  // Saves nothing before the turn ends: a crash loses the message of the person. Parley has no such mode.
  exit: { contender: theirs, command: { dialogs, turns, durability: 'exit' }, rounds: [] },
}
const warmUp = many(2, 1)
for (let round = 0; round < warmUp + many(5, 2); round += 1)
  for (const side of Object.values(sides)) {
    const before = cpuOfPostgres()
    const measured = await side.contender.ask<Round>(side.command)
    if (round >= warmUp) side.rounds.push({ ...measured, cpuMsOfPostgres: (cpuOfPostgres() - before) * 1_000 })
  }
const of = (side: Side, take: (round: Measured) => number): number => median(side.rounds.map(take))
const modes = {
  async: 'as it is set up (async)',
  sync: 'that saves before it goes on (sync)',
  exit: 'that saves when the turn has ended (exit)',
} as const
for (const durability of ['async', 'sync', 'exit'] as const) {
  const about = modes[durability]
  const speed = (side: Side): number => of(side, ({ count, seconds }) => count / seconds)
  const ratio = speed(sides.parley) / speed(sides[durability])
  print({
    bench,
    figure: `turns per second at ${dialogs} on PostgreSQL, beside LangGraph ${about}`,
    value: speed(sides.parley),
    unit: '1/s',
    floor: speed(sides[durability]),
    ...(durability !== 'exit' && { aim: 'ratio ≥ 4', met: ratio >= 4 }),
  })
  const cost = (side: Side): number => of(side, ({ count, cpuMs }) => cpuMs / count)
  print({
    bench,
    figure: `CPU per turn at ${dialogs} on PostgreSQL, beside LangGraph ${about}`,
    value: cost(sides.parley),
    unit: 'ms',
    floor: cost(sides[durability]),
  })
  const costPostgres = (side: Side): number => of(side, ({ count, cpuMsOfPostgres }) => cpuMsOfPostgres / count)
  print({
    bench,
    figure: `CPU of PostgreSQL per turn at ${dialogs}, beside LangGraph ${about}`,
    value: costPostgres(sides.parley),
    unit: 'ms',
    floor: costPostgres(sides[durability]),
  })
}
await Promise.all([parley.end(), theirs.end(), model.end()])
await postgres.stop()
