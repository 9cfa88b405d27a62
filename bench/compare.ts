import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contender, getAnswer, type Round, start } from './contender.ts'
import { many, median } from './figure.ts'
import { scratch } from './scratch.ts'
import { trimmed } from './trimmed.ts'

/**
 * Turns, delegations and questions of this tree (`B`) beside those of another checkout (`A`):
 * `node bench/compare.ts ../before [--quick] [--only turn|delegation|questions] [--at 64] [--no-counts]`. Name this tree itself to see how far
 * the measure is off. Rounds alternate A B B A or B A A B and share one model process, so a busy machine is the same for both.
 * Such four rounds give one ratio; two processes of the same code differ for their whole life, so several pairs of processes
 * take part. The fifth of the ratios at each end is left out; `sure` is the range that holds their mean in 95 of 100 runs,
 * as far as rounds differ, not processes: those are in `pairs`. CPU time of the measured process, and of its main thread alone.
 * A further run of each side counts per turn: commits, SQL statements, rows changed, bytes of JSON, bytes written.
 */
const [before, ...rest] = process.argv.slice(2)
if (before === undefined || before.startsWith('--')) throw new Error('Name the folder of the other tree: node bench/compare.ts ../before')
const trees = { A: resolve(before), B: fileURLToPath(new URL('..', import.meta.url)) }
const sides = ['A', 'B'] as const
type Side = (typeof sides)[number]

const option = (name: string): string | undefined => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined)
const sizes = [1, 64].filter((dialogs) => option('--at') === undefined || String(dialogs) === option('--at'))

const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
const folder = scratch('compare')
const preload = (file: string): string[] => ['--import', fileURLToPath(new URL(file, import.meta.url))]

const open = (file: string, side: Side, execArgv: string[]): Contender =>
  start(join(trees[side], 'bench', file), [mkdtempSync(join(folder, side)), url], { execArgv })

const stories = [
  { what: 'turn', file: 'turns-parley.ts', size: (dialogs: number) => ({ dialogs, turns: 12 }) },
  { what: 'delegation', file: 'delegations-parley.ts', size: (dialogs: number) => ({ dialogs, each: 6 }) },
].filter(({ what }) => option('--only') === undefined || what === option('--only'))

/** CPU in ms of one turn or delegation, as the mean of a round. */
type Cost = { process: number; thread: number }
type Four = Record<Side, Cost>

async function cost(contender: Contender, command: object, times: number): Promise<Cost> {
  let [cpuMs, threadMs, count] = [0, 0, 0]
  for (let time = 0; time < times; time += 1) {
    const took = await contender.ask<Round>(command)
    cpuMs += took.cpuMs
    threadMs += took['threadMs'] ?? Number.NaN
    count += took.count
  }
  return { process: cpuMs / count, thread: threadMs / count }
}

const mean = (one: Cost, two: Cost): Cost => ({ process: (one.process + two.process) / 2, thread: (one.thread + two.thread) / 2 })

async function four(contenders: Record<Side, Contender>, command: object, times: number, isMirrored: boolean): Promise<Four> {
  const [first, second] = isMirrored ? (['B', 'A'] as const) : (['A', 'B'] as const)
  const outer = await cost(contenders[first], command, times)
  const inner = mean(await cost(contenders[second], command, times), await cost(contenders[second], command, times))
  const all = { [first]: mean(outer, await cost(contenders[first], command, times)), [second]: inner }
  return all as Four
}

function compared(pairs: readonly Four[][], of: keyof Cost): object {
  const fours = pairs.flat()
  const toRatio = ({ A, B }: Four): number => Math.log(B[of] / A[of])
  const { mean: middle, half } = trimmed(fours.map(toRatio))
  const at = (value: number): number => round(Math.exp(value))
  return {
    A: round(median(fours.map(({ A }) => A[of]))),
    B: round(median(fours.map(({ B }) => B[of]))),
    ratio: at(middle),
    sure: [at(middle - half), at(middle + half)],
    pairs: pairs.map((own) => at(trimmed(own.map(toRatio)).mean)),
  }
}

for (const { what, file, size } of stories) {
  const measured = new Map(sizes.map((dialogs): [number, Four[][]] => [dialogs, []]))
  for (let pair = 0; pair < many(4, 2); pair += 1) {
    const contenders = { A: open(file, 'A', preload('main-thread.ts')), B: open(file, 'B', preload('main-thread.ts')) }
    // Compiled code needs thousands of calls; before that both also pay for the compiler, and the larger tree pays more.
    for (let count = 0; count < many(16, 10); count += 1) for (const side of sides) await cost(contenders[side], size(64), 1)
    for (const dialogs of sizes) {
      const own: Four[] = []
      for (let count = 0; count < many(8, 5); count += 1)
        own.push(await four(contenders, size(dialogs), dialogs === 1 ? many(12, 6) : 1, count % 2 === pair % 2))
      measured.get(dialogs)?.push(own)
    }
    await Promise.all([contenders.A.end(), contenders.B.end()])
  }
  for (const [dialogs, pairs] of measured) {
    const fours = pairs.flat().length
    console.log(JSON.stringify({ what, dialogs, unit: 'CPU ms', of: 'process', fours, ...compared(pairs, 'process') }))
    console.log(JSON.stringify({ what, dialogs, unit: 'CPU ms', of: 'main thread', fours, ...compared(pairs, 'thread') }))
  }
  for (const dialogs of rest.includes('--no-counts') ? [] : sizes) {
    const counts: Partial<Record<Side, object>> = {}
    for (const side of sides) {
      const counted = open(file, side, preload('count-work.ts'))
      await counted.ask(size(dialogs))
      const { count, seconds: _, cpuMs: __, ...more } = await counted.ask<Round>(size(dialogs))
      counts[side] = Object.fromEntries(Object.entries(more).map(([name, value]) => [name, round(value / count)]))
      await counted.end()
    }
    console.log(JSON.stringify({ what, dialogs, unit: `per ${what}`, ...counts }))
  }
}
await model.end()
if (option('--only') === undefined || option('--only') === 'questions') compareQuestions()

/** `questions.ts` of each tree measures its own floor, so the whole program is one round; CPU for each pair, and its ratio to the floor. */
function compareQuestions(): void {
  const figures = new Map<string, Record<Side, { value: number; ratio: number }[]>>()
  for (let count = 0; count < many(4, 2); count += 1) {
    for (const side of ['A', 'B', 'B', 'A'] as const) {
      const printed = execFileSync(process.execPath, [join(trees[side], 'bench/questions.ts'), '--quick'], { encoding: 'utf8' })
      for (const line of printed.trim().split('\n')) {
        const { figure, value, ratio } = JSON.parse(line) as { figure: string; value: number; ratio: number }
        const both = figures.get(figure) ?? { A: [], B: [] }
        both[side].push({ value, ratio })
        figures.set(figure, both)
      }
    }
  }
  for (const [what, both] of figures) {
    const [a, b] = sides.map((side) => median(both[side].map(({ value }) => value))) as [number, number]
    const floors = sides.map((side) => round(median(both[side].map(({ ratio }) => ratio))))
    console.log(JSON.stringify({ what, A: round(a), B: round(b), ratio: round(b / a), toFloor: floors, rounds: both.A.length }))
  }
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}
