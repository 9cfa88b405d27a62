import { getAnswer, type Round, start } from './contender.ts'
import { many, median, print, short } from './figure.ts'
import { scratch } from './scratch.ts'

/**
 * The cost of a turn at its 10th and at its 1,000th place in one dialog. The turns around both are run in alternation: in
 * each round a fresh dialog up to its 15th turn, and some more turns of one that has a thousand behind it. The floor
 * sends the very bytes Parley sent at either place, so the ratio beside a figure does not count what longer history
 * costs on the wire.
 */
const bench = 'long-dialog'
const folder = scratch('long')
const model = start('instant-model.ts')
const { url } = await getAnswer<{ url: string }>(model.child, 'model')
const parley = start('turns-parley.ts', [folder, url])
const floor = start('turns-floor.ts', [folder, url])

type Turns = { dialog: string; each: { ms: number; cpuMs: number }[] }
const getTurns = (turns: number, dialog?: string): Promise<Turns> =>
  parley.ask({ lasting: { turns, ...(dialog === undefined ? {} : { dialog }) } })
const around = 10
const [early, late] = [10, 1_000]

await model.ask({ keep: true })
const { dialog } = await getTurns(late - around / 2)
const { bodies } = await model.ask<{ bodies: string[] }>({ keep: false })
if (bodies.length !== late - around / 2) throw new Error(`the model saw ${bodies.length} requests of ${late - around / 2} turns`)

const places = [
  { turn: early, body: bodies[early - 1] as string, ours: [] as Turns['each'], floor: [] as Round[] },
  { turn: late, body: bodies.at(-1) as string, ours: [] as Turns['each'], floor: [] as Round[] },
] as const
for (let round = -2; round < many(16, 8); round += 1) {
  const fresh = await getTurns(early + around / 2)
  const old = await getTurns(around, dialog)
  const took = [fresh.each.slice(-around), old.each] as const
  for (const [index, place] of places.entries()) {
    const floorTook = await floor.ask<Round>({ dialogs: 1, bodies: Array.from({ length: 20 }, () => place.body) })
    if (round < 0) continue
    place.ours.push(...(took[index] ?? []))
    place.floor.push(floorTook)
  }
}

for (const place of places) {
  const getFloor = (take: (round: Round) => number): number => median(place.floor.map((round) => take(round) / round.count))
  print({
    bench,
    figure: `latency of turn ${place.turn}`,
    value: median(place.ours.map(({ ms }) => ms)),
    unit: 'ms',
    floor: getFloor(({ seconds }) => seconds * 1000),
    requestBytes: place.body.length,
  })
  print({
    bench,
    figure: `CPU of turn ${place.turn}`,
    value: median(place.ours.map(({ cpuMs }) => cpuMs)),
    unit: 'ms',
    floor: getFloor(({ cpuMs }) => cpuMs),
  })
}
const growth = (take: (turn: { ms: number; cpuMs: number }) => number): number =>
  median(places[1].ours.map(take)) / median(places[0].ours.map(take))
const [latency, cpu] = [growth(({ ms }) => ms), growth(({ cpuMs }) => cpuMs)]
print({ bench, figure: `turn ${late} against turn ${early}, latency`, value: latency, unit: '×', aim: '≤ 1.3', met: short(latency) <= 1.3 })
print({ bench, figure: `turn ${late} against turn ${early}, CPU`, value: cpu, unit: '×', aim: '≤ 1.3', met: short(cpu) <= 1.3 })
await parley.end()
await Promise.all([floor.end(), model.end()])
