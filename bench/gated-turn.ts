import { type Round, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'

/**
 * CPU of a turn with one allowed `read_file` call, by the gate and by a constant in its place. Both run in processes of
 * their own and take turns, so that a busy machine slows both; the ratio is the median of the ratios of neighbouring rounds.
 */
const folder = scratch('gated-turn')
const gate = start('gated-turn-parley.ts', [folder, 'gate'])
const constant = start('gated-turn-parley.ts', [folder, 'constant'])
const cpu = ({ count, cpuMs }: Round): number => cpuMs / count

for (const { dialogs, turns } of [
  { dialogs: 1, turns: many(60, 30) },
  { dialogs: 64, turns: many(6, 3) },
]) {
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = -many(4, 2); round < many(20, 5); round += 1) {
    // Whoever is first in a pair finds the machine in another state.
    const order = round % 2 === 0 ? [gate, constant] : [constant, gate]
    const took = new Map<typeof gate, number>()
    for (const side of order) took.set(side, cpu(await side.ask<Round>({ dialogs, turns })))
    if (round >= 0) pairs.push({ ours: took.get(gate) ?? Number.NaN, theirs: took.get(constant) ?? Number.NaN })
  }
  const ratio = median(pairs.map(({ ours, theirs }) => ours / theirs))
  print({
    bench: 'gated-turn',
    figure: `CPU of a turn with one allowed read_file call ${dialogs === 1 ? 'alone' : `at ${dialogs}`}`,
    value: median(pairs.map(({ ours }) => ours)),
    unit: 'ms',
    floor: median(pairs.map(({ theirs }) => theirs)),
    pairedRatio: Number(ratio.toFixed(3)),
    aim: 'paired ratio ≤ 1.05',
    met: ratio <= 1.05,
  })
}
await Promise.all([gate.end(), constant.end()])
