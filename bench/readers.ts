import { getAnswer, type Round, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { profiled } from './profile.ts'
import { scratch } from './scratch.ts'

/**
 * One dialog with 200 live readers: events delivered per second and what one delivery costs the server, over WebSockets
 * and for readers inside the process. The turns that make the events are part of the cost, on both sides.
 */
const bench = 'readers'
const readers = 200
const turns = many(60, 30)
const folder = scratch('readers')
const server = start('readers-parley.ts', [folder])
await getAnswer(server.child, 'server')
const floor = start('readers-floor.ts', [folder])
const { port } = await getAnswer<{ port: number }>(floor.child, 'floor')
// One crowd for each side, so that a side's connections are there all the time.
const [crowd, floorCrowd] = [start('readers-crowd.ts'), start('readers-crowd.ts')]

const address = await server.ask<{ url: string; token: string; dialog: string }>({ address: true })
type Turned = Round & { events: number }
const rounds = { sockets: [] as Delivered[], floor: [] as Delivered[], within: [] as Delivered[], floorWithin: [] as Delivered[] }
type Delivered = { perSecond: number; cpuMicros: number }

await crowd.ask({ join: { ...address, readers } })
await floorCrowd.ask({ joinFloor: { port, readers } })

type Cpu = { user: number; system: number }
async function delivered(
  from: typeof server,
  to: typeof crowd,
  command: object,
  listEvents: (turned: Turned) => number,
): Promise<{ figures: Delivered; frames: string[] }> {
  await to.ask({ begin: true })
  const cpuBefore = await from.ask<Cpu>({ cpu: true })
  const before = performance.now()
  const turned = await from.ask<Turned>(command)
  const { delivered: count, frames } = await to.ask<{ delivered: number; frames: string[] }>({ all: listEvents(turned) })
  const seconds = (performance.now() - before) / 1000
  const cpuAfter = await from.ask<Cpu>({ cpu: true })
  const micros = cpuAfter.user + cpuAfter.system - cpuBefore.user - cpuBefore.system
  return { figures: { perSecond: count / seconds, cpuMicros: micros / count }, frames }
}

await profiled(server, async () => {
  for (let round = -2; round < many(7, 3); round += 1) {
    const live = await delivered(server, crowd, { turns }, ({ events }) => events)
    // A turn's frames as they went over the wire, for the floor to send.
    const [said, ended] = live.frames
    if (said === undefined || ended === undefined) throw new Error('no reader got anything')
    const frames = [said, ended]
    const perTurn = frames.reduce((sum, frame) => sum + (JSON.parse(frame) as { events: unknown[] }).events.length, 0)
    const bare = await delivered(floor, floorCrowd, { turns, frames }, () => perTurn * turns)
    if (round < 0) continue
    rounds.sockets.push(live.figures)
    rounds.floor.push(bare.figures)
  }
})
await crowd.ask({ leave: true })
for (let round = -2; round < many(7, 3); round += 1) {
  const mine = await server.ask<Turned>({ readers, count: turns })
  const its = await floor.ask<Turned>({ readers, count: turns })
  if (round < 0) continue
  // The floor is given the same number of events: what it moves is a batch, however many are in it.
  const count = mine.events * readers
  rounds.within.push({ perSecond: count / mine.seconds, cpuMicros: (mine.cpuMs * 1000) / count })
  rounds.floorWithin.push({ perSecond: count / its.seconds, cpuMicros: (its.cpuMs * 1000) / count })
}
const of = (all: Delivered[], name: keyof Delivered): number => median(all.map((each) => each[name]))
print({
  bench,
  figure: `events delivered per second, ${readers} WebSockets`,
  value: of(rounds.sockets, 'perSecond'),
  unit: '1/s',
  floor: of(rounds.floor, 'perSecond'),
})
print({
  bench,
  figure: `CPU per event delivered, ${readers} WebSockets`,
  value: of(rounds.sockets, 'cpuMicros'),
  unit: 'µs',
  floor: of(rounds.floor, 'cpuMicros'),
})
print({
  bench,
  figure: `events delivered per second, ${readers} readers in the process`,
  value: of(rounds.within, 'perSecond'),
  unit: '1/s',
  floor: of(rounds.floorWithin, 'perSecond'),
})
print({
  bench,
  figure: `CPU per event delivered, ${readers} readers in the process`,
  value: of(rounds.within, 'cpuMicros'),
  unit: 'µs',
  floor: of(rounds.floorWithin, 'cpuMicros'),
})
await Promise.all([server.end(), floor.end(), crowd.end(), floorCrowd.end()])
