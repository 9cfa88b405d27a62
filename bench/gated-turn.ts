import { type Contender, start } from './contender.ts'
import { many, median, print, short } from './figure.ts'
import type { Side } from './gated-turn-parley.ts'
import { scratch } from './scratch.ts'
import { trimmed } from './trimmed.ts'

/**
 * CPU of a turn with one allowed `read_file` call, by the gate and by a constant in its place. Two processes of the same code
 * differ by several percent for their whole life, so both sides run in one process, on the same dialogs, and take turns after
 * every block: one turn in each dialog, in the order A B B A or B A A B, so that a drift of the machine falls on both. Four
 * such blocks give one ratio. Collections of garbage and checkpoints make single blocks several times as dear, so the fifth of
 * the ratios at each end is left out. The same blocks with the constant on both sides show what the measure itself adds: that
 * ratio must be about 1.00.
 */
const loads = [
  { dialogs: 64, blocks: many(16, 4), batches: many(50, 2) },
  { dialogs: 1, blocks: many(40, 4), batches: many(50, 2) },
] as const
type Four = { ours: number; theirs: number }
type Measured = { gated: Four[]; same: Four[] }

/** With the constant on both sides the blocks still count as ours and theirs, by their place. */
async function runBatch(turns: Contender, dialogs: number, count: number, ours: Side, isMirrored: boolean): Promise<Four[]> {
  const isOurs = Array.from({ length: count }, (_, at) => (at % 4 === 0 || at % 4 === 3) !== isMirrored)
  const blocks = isOurs.map((is): Side => (is ? ours : 'constant'))
  const { cpuMs } = await turns.ask<{ cpuMs: number[] }>({ dialogs, blocks })
  return Array.from({ length: count / 4 }, (_, four) => {
    const mean = (wanted: boolean): number =>
      [0, 1, 2, 3].reduce((sum, at) => sum + (isOurs[four * 4 + at] === wanted ? (cpuMs[four * 4 + at] ?? Number.NaN) : 0), 0) / 2
    return { ours: mean(true), theirs: mean(false) }
  })
}

const measured = loads.map((): Measured => ({ gated: [], same: [] }))
for (let processes = 0; processes < many(2, 1); processes += 1) {
  const turns = start('gated-turn-parley.ts', [scratch(`gated-turn-${processes}`)])
  // Compiled code needs thousands of calls of each side; before that both also pay for the compiler.
  for (let round = 0; round < many(10, 1); round += 1) await runBatch(turns, 64, many(8, 4), 'gate', false)
  for (const [at, { dialogs, blocks, batches }] of loads.entries()) {
    for (let batch = 0; batch < batches; batch += 1) {
      const isMirrored = batch % 2 === 1
      measured[at]?.gated.push(...(await runBatch(turns, dialogs, blocks, 'gate', isMirrored)))
      measured[at]?.same.push(...(await runBatch(turns, dialogs, blocks, 'constant', isMirrored)))
    }
  }
  await turns.end()
}

/** The ratio, and the range that holds it in 95 of 100 runs. */
function summary(fours: readonly Four[]): { ratio: number; sure: number[]; fours: number } {
  const { mean, half } = trimmed(fours.map(({ ours, theirs }) => Math.log(ours / theirs)))
  const at = (value: number): number => Number(Math.exp(value).toFixed(3))
  return { ratio: at(mean), sure: [at(mean - half), at(mean + half)], fours: fours.length }
}

for (const [at, { dialogs }] of loads.entries()) {
  const { gated, same } = measured[at] ?? { gated: [], same: [] }
  const { ratio, ...rest } = summary(gated)
  print({
    bench: 'gated-turn',
    figure: `CPU of a turn with one allowed read_file call ${dialogs === 1 ? 'alone' : `at ${dialogs}`}`,
    value: median(gated.map(({ ours }) => ours)),
    unit: 'ms',
    floor: median(gated.map(({ theirs }) => theirs)),
    addedUs: short(trimmed(gated.map(({ ours, theirs }) => (ours - theirs) * 1000)).mean),
    pairedRatio: ratio,
    ...rest,
    sameCode: summary(same),
    aim: 'paired ratio ≤ 1.05',
    met: ratio <= 1.05,
  })
}
