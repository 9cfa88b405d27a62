import { type Contender, start } from './contender.ts'
import { many, median, print, short } from './figure.ts'
import type { Side } from './gated-turn-parley.ts'
import { scratch } from './scratch.ts'

/**
 * CPU of a turn with one allowed `read_file` call, by the gate and by a constant in its place. Two processes of the same code
 * differ by several percent for their whole life, so both sides run in one process and take turns in short blocks, in the
 * order A B B A or B A A B: a slow drift of the machine falls on both. Every four blocks give one ratio. The same blocks with
 * the constant on both sides show what the measure itself adds: that ratio must be about 1.00.
 */
const loads = [
  { dialogs: 64, turns: many(2, 1) },
  { dialogs: 1, turns: many(25, 10) },
]
const comparisons = { gated: ['gate', 'constant'], same: ['constant', 'constant'] } as const
type Four = { ours: number; theirs: number }
type Measured = Record<keyof typeof comparisons, Four[]>

async function measureFour(turns: Contender, load: (typeof loads)[number], [a, b]: readonly [Side, Side], round: number): Promise<Four> {
  const isMirrored = round % 2 === 1
  const blocks = isMirrored ? [b, a, a, b] : [a, b, b, a]
  const { cpuMs } = await turns.ask<{ cpuMs: number[] }>({ ...load, blocks })
  const [outer, inner] = [(cpuMs[0] ?? Number.NaN) + (cpuMs[3] ?? Number.NaN), (cpuMs[1] ?? Number.NaN) + (cpuMs[2] ?? Number.NaN)]
  return isMirrored ? { ours: inner / 2, theirs: outer / 2 } : { ours: outer / 2, theirs: inner / 2 }
}

const measured = loads.map((): Measured => ({ gated: [], same: [] }))
for (let processes = 0; processes < many(2, 1); processes += 1) {
  const turns = start('gated-turn-parley.ts', [scratch(`gated-turn-${processes}`)])
  // Compiled code needs thousands of calls of each side; before that both also pay for the compiler.
  for (let round = 0; round < many(25, 1); round += 1) await turns.ask({ dialogs: 64, turns: 2, blocks: ['gate', 'constant'] })
  for (const [at, load] of loads.entries()) {
    for (let round = -2; round < many(24, 5); round += 1) {
      for (const name of ['gated', ...(round % 3 === 0 ? (['same'] as const) : [])] as const) {
        const four = await measureFour(turns, load, comparisons[name], round)
        // The first ones meet another load than the one before.
        if (round >= 0) measured[at]?.[name].push(four)
      }
    }
  }
  await turns.end()
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** The median of the ratios, the quarter below and above it, and the range that holds the true median in 95 of 100 runs. */
function summary(fours: readonly Four[]): { median: number; quartiles: number[]; sure: number[]; total: number } {
  const ratios = fours.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const at = (share: number): number =>
    Number((ratios[Math.min(ratios.length - 1, Math.max(0, Math.round(share)))] ?? Number.NaN).toFixed(3))
  const [middle, half] = [(ratios.length - 1) / 2, 0.98 * Math.sqrt(ratios.length)]
  return {
    median: Number(median(ratios).toFixed(3)),
    quartiles: [at(middle / 2), at(middle * 1.5)],
    sure: [at(middle - half), at(middle + half)],
    total: Number((sum(fours.map(({ ours }) => ours)) / sum(fours.map(({ theirs }) => theirs))).toFixed(3)),
  }
}

for (const [at, { dialogs }] of loads.entries()) {
  const { gated, same } = measured[at] ?? { gated: [], same: [] }
  const ratio = summary(gated)
  print({
    bench: 'gated-turn',
    figure: `CPU of a turn with one allowed read_file call ${dialogs === 1 ? 'alone' : `at ${dialogs}`}`,
    value: median(gated.map(({ ours }) => ours)),
    unit: 'ms',
    floor: median(gated.map(({ theirs }) => theirs)),
    addedUs: short(median(gated.map(({ ours, theirs }) => (ours - theirs) * 1000))),
    pairedRatio: ratio.median,
    gated: ratio,
    sameCode: summary(same),
    aim: 'paired ratio ≤ 1.05',
    met: ratio.median <= 1.05,
  })
}
