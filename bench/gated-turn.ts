import { type Contender, start } from './contender.ts'
import { many, median, print, short } from './figure.ts'
import type { Side } from './gated-turn-parley.ts'
import { scratch } from './scratch.ts'

/**
 * CPU of a turn with one allowed `read_file` call, by the gate and by a constant in its place. Two processes of the same code
 * differ by several percent for their whole life, so both sides run in one process, on the same dialogs, and take turns after
 * every block: one turn in each dialog, in the order A B B A or B A A B, so that a drift of the machine falls on both. A batch
 * of blocks gives one ratio, that of the medians of its sides. The same batches with the constant on both sides show what the
 * measure itself adds: that ratio must be about 1.00.
 */
const loads = [
  { dialogs: 64, blocks: many(16, 4), batches: many(14, 2) },
  { dialogs: 1, blocks: many(40, 4), batches: many(50, 2) },
] as const
type Batch = { ours: number; theirs: number }
type Measured = { gated: Batch[]; same: Batch[] }

/** With the constant on both sides the blocks still count as ours and theirs, by their place. */
async function runBatch(turns: Contender, dialogs: number, count: number, ours: Side, isMirrored: boolean): Promise<Batch> {
  const isOurs = Array.from({ length: count }, (_, at) => (at % 4 === 0 || at % 4 === 3) !== isMirrored)
  const blocks = isOurs.map((is): Side => (is ? ours : 'constant'))
  const { cpuMs } = await turns.ask<{ cpuMs: number[] }>({ dialogs, blocks })
  const ofSide = (wanted: boolean): number => median(cpuMs.filter((_, at) => isOurs[at] === wanted))
  return { ours: ofSide(true), theirs: ofSide(false) }
}

const measured = loads.map((): Measured => ({ gated: [], same: [] }))
for (let processes = 0; processes < many(2, 1); processes += 1) {
  const turns = start('gated-turn-parley.ts', [scratch(`gated-turn-${processes}`)])
  // Compiled code needs thousands of calls of each side; before that both also pay for the compiler.
  for (let round = 0; round < many(10, 1); round += 1) await runBatch(turns, 64, many(8, 4), 'gate', false)
  for (const [at, { dialogs, blocks, batches }] of loads.entries()) {
    for (let batch = 0; batch < batches; batch += 1) {
      const isMirrored = batch % 2 === 1
      measured[at]?.gated.push(await runBatch(turns, dialogs, blocks, 'gate', isMirrored))
      measured[at]?.same.push(await runBatch(turns, dialogs, blocks, 'constant', isMirrored))
    }
  }
  await turns.end()
}

/** The median of the ratios, the quarters around it, and the range that holds the true median in 95 of 100 runs. */
function summary(batches: readonly Batch[]): { median: number; quartiles: number[]; sure: number[] } {
  const ratios = batches.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const at = (index: number): number =>
    Number((ratios[Math.min(ratios.length - 1, Math.max(0, Math.round(index)))] ?? Number.NaN).toFixed(3))
  const [middle, half] = [(ratios.length - 1) / 2, 0.98 * Math.sqrt(ratios.length)]
  return {
    median: Number(median(ratios).toFixed(3)),
    quartiles: [at(middle / 2), at(middle * 1.5)],
    sure: [at(middle - half), at(middle + half)],
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
