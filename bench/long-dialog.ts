import { answerOf, type Round, start } from './contender.ts'
import { many, median, print, short } from './figure.ts'
import { profileArgs, tellProfile } from './profile.ts'
import { scratch } from './scratch.ts'

/**
 * What a turn costs at its 10th and at its 1,000th place in one dialog: the median of the turns around each. The floor
 * sends the very bytes Parley sent at that place, so what a longer history costs on the wire is not counted against it.
 */
const folder = scratch('long')
const model = start('instant-model.ts')
const { url } = await answerOf<{ url: string }>(model.child, 'model')
const parley = start('turns-parley.ts', [folder, url], { execArgv: profileArgs(folder) })
const floor = start('turns-floor.ts', [folder, url])

type Lasting = { each: { ms: number; cpuMs: number }[] }
const last = 1_000
const around = 12
const places = { early: 10, late: last }

// Two dialogs before the measured one: code that is not warm yet would make the early turns look dear.
for (let warm = 0; warm < 2; warm += 1) await parley.ask({ lasting: many(400, 250) })

await model.ask({ keep: true })
const { each } = await parley.ask<Lasting>({ lasting: last + around })
const { bodies } = await model.ask<{ bodies: string[] }>({ keep: false })
if (each.length !== last + around || bodies.length !== each.length) throw new Error(`${each.length} turns were run and ${bodies.length} requests seen`)
// The early turns again in fresh dialogs, now that everything is as warm as it was for the late ones.
const early: Lasting['each'] = []
for (let again = 0; again < 5; again += 1) early.push(...(await parley.ask<Lasting>({ lasting: places.early + around / 2 })).each.slice(places.early - around / 2))
const late = each.slice(last - around)

const rounds: Record<number, Round[]> = { [places.early]: [], [places.late]: [] }
for (let round = -4; round < 7; round += 1) {
  for (const turn of Object.values(places)) {
    const body = bodies[turn - 1] as string
    const took = await floor.ask<Round>({ dialogs: 1, bodies: Array.from({ length: 40 }, () => body) })
    if (round >= 0) rounds[turn]?.push(took)
  }
}

for (const [turns, turn] of [
  [early, places.early],
  [late, places.late],
] as const) {
  const floorOf = (take: (round: Round) => number): number => median((rounds[turn] ?? []).map((round) => take(round) / round.count))
  const bytes = (bodies[turn - 1] as string).length
  print({ bench: 'long-dialog', figure: `latency of turn ${turn}`, value: median(turns.map(({ ms }) => ms)), unit: 'ms', floor: floorOf(({ seconds }) => seconds * 1000), requestBytes: bytes })
  print({ bench: 'long-dialog', figure: `CPU of turn ${turn}`, value: median(turns.map(({ cpuMs }) => cpuMs)), unit: 'ms', floor: floorOf(({ cpuMs }) => cpuMs) })
}
const ratio = (take: (turn: { ms: number; cpuMs: number }) => number): number => median(late.map(take)) / median(early.map(take))
const [latency, cpu] = [ratio(({ ms }) => ms), ratio(({ cpuMs }) => cpuMs)]
print({ bench: 'long-dialog', figure: 'turn 1000 against turn 10, latency', value: latency, unit: '×', aim: '≤ 1.3', met: short(latency) <= 1.3 })
print({ bench: 'long-dialog', figure: 'turn 1000 against turn 10, CPU', value: cpu, unit: '×', aim: '≤ 1.3', met: short(cpu) <= 1.3 })
await parley.end()
tellProfile(folder)
await Promise.all([floor.end(), model.end()])
