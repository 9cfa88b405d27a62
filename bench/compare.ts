import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contender, getAnswer, type Round, start } from './contender.ts'
import { many, median } from './figure.ts'
import { scratch } from './scratch.ts'

/**
 * Turns and delegations of this tree (`B`) beside those of another checkout (`A`): `node bench/compare.ts ../before [--quick]`.
 * Rounds alternate A B B A and share one model process, so a busy machine is the same for both. CPU time of the measured process.
 * A further run of each side counts per turn: commits, SQL statements, rows changed, bytes of JSON, bytes written.
 */
const before = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
if (before === undefined) throw new Error('Name the folder of the other tree: node bench/compare.ts ../before')
const trees = { A: resolve(before), B: fileURLToPath(new URL('..', import.meta.url)) }
const sides = ['A', 'B'] as const
type Side = (typeof sides)[number]

const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
const folder = scratch('compare')
const counter = fileURLToPath(new URL('count-work.ts', import.meta.url))

const open = (file: string, side: Side, execArgv: string[] = []): Contender =>
  start(join(trees[side], 'bench', file), [mkdtempSync(join(folder, side)), url], { execArgv })

const stories = [
  { what: 'turn', file: 'turns-parley.ts', size: (dialogs: number) => ({ dialogs, turns: 12 }) },
  { what: 'delegation', file: 'delegations-parley.ts', size: (dialogs: number) => ({ dialogs, each: 6 }) },
]

for (const { what, file, size } of stories) {
  const contenders = { A: open(file, 'A'), B: open(file, 'B') }
  for (const dialogs of [1, 64]) {
    const repeat = dialogs === 1 ? many(12, 6) : 1
    const run = async (side: Side): Promise<number> => {
      let [cpuMs, count] = [0, 0]
      for (let time = 0; time < repeat; time += 1) {
        const took = await contenders[side].ask<Round>(size(dialogs))
        cpuMs += took.cpuMs
        count += took.count
      }
      return cpuMs / count
    }
    const figures: Record<Side, number[]> = { A: [], B: [] }
    for (let count = -many(3, 2); count < many(8, 4); count += 1) {
      for (const side of ['A', 'B', 'B', 'A'] as const) {
        const figure = await run(side)
        if (count >= 0) figures[side].push(figure)
      }
    }
    const [a, b] = [median(figures.A), median(figures.B)]
    console.log(
      JSON.stringify({
        what,
        dialogs,
        unit: 'CPU ms',
        A: round(a),
        B: round(b),
        ratio: round(b / a),
        least: sides.map((side) => round(Math.min(...figures[side]))),
      }),
    )
  }
  await Promise.all([contenders.A.end(), contenders.B.end()])
  for (const dialogs of [1, 64]) {
    const counts: Partial<Record<Side, object>> = {}
    for (const side of sides) {
      const counted = open(file, side, ['--import', counter])
      await counted.ask(size(dialogs))
      const { count, seconds: _, cpuMs: __, ...more } = await counted.ask<Round>(size(dialogs))
      counts[side] = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, round(value / count)]))
      await counted.end()
    }
    console.log(JSON.stringify({ what, dialogs, unit: `per ${what}`, ...counts }))
  }
}
await model.end()

function round(value: number): number {
  return Number(value.toPrecision(4))
}
