import { type Round, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'

/**
 * CPU of a turn with one allowed `read_file` call, by the gate and by a constant in its place. Both run in processes of
 * their own and take turns, so that a busy machine slows both; the ratio is the median of the ratios of neighbouring rounds.
 * Two processes of the same code differ by up to 3 % for their whole life (memory layout, compiled code), so several pairs
 * of processes are measured and the ratio is the median over the pairs.
 */
type Pair = { ours: number; theirs: number }
const loads = [
  { dialogs: 64, turns: many(2, 1) },
  { dialogs: 1, turns: many(20, 10) },
]
const cpu = ({ count, cpuMs }: Round): number => cpuMs / count
const ratio = (pairs: readonly Pair[]): number => median(pairs.map(({ ours, theirs }) => ours / theirs))

const measured = loads.map((): Pair[][] => [])
for (let processes = 0; processes < many(7, 1); processes += 1) {
  const folder = scratch(`gated-turn-${processes}`)
  const gate = start('gated-turn-parley.ts', [folder, 'gate'])
  const constant = start('gated-turn-parley.ts', [folder, 'constant'])
  // Compiled code needs about 10,000 calls; before that both sides also pay for the compiler.
  for (const side of [gate, constant]) await side.ask<Round>({ dialogs: 64, turns: many(150, 1) })
  for (const [at, { dialogs, turns }] of loads.entries()) {
    const pairs: Pair[] = []
    // Many short rounds: neighbours meet the same machine. The first ones do not count.
    for (let round = -many(5, 2); round < many(40, 5); round += 1) {
      // The order alternates because the second of a pair finds the machine in another state.
      const order = round % 2 === 0 ? [gate, constant] : [constant, gate]
      const took = new Map<typeof gate, number>()
      for (const side of order) took.set(side, cpu(await side.ask<Round>({ dialogs, turns })))
      if (round >= 0) pairs.push({ ours: took.get(gate) ?? Number.NaN, theirs: took.get(constant) ?? Number.NaN })
    }
    measured[at]?.push(pairs)
  }
  await Promise.all([gate.end(), constant.end()])
}

for (const [at, { dialogs }] of loads.entries()) {
  const ofProcesses = measured[at] ?? []
  const all = ofProcesses.flat()
  const ratios = ofProcesses.map((pairs) => Number(ratio(pairs).toFixed(3)))
  const middle = median(ratios)
  print({
    bench: 'gated-turn',
    figure: `CPU of a turn with one allowed read_file call ${dialogs === 1 ? 'alone' : `at ${dialogs}`}`,
    value: median(all.map(({ ours }) => ours)),
    unit: 'ms',
    floor: median(all.map(({ theirs }) => theirs)),
    pairedRatio: middle,
    ratios,
    aim: 'paired ratio ≤ 1.05',
    met: middle <= 1.05,
  })
}
