import { join } from 'node:path'
import type { Store, Unit } from '../src/ports/store.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { type Round, timed } from './contender.ts'
import { floorLog } from './floor-log.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'

/** Units per second of the store itself: one event of about 300 bytes with its expected head, one in each commit and 50. */
const folder = scratch('append')
const store: Store = sqliteStore({ path: join(folder, 'parley.db') })
const floor = floorLog(join(folder, 'floor.db'))
const data = { text: 'x'.repeat(250), by: { kind: 'human', name: 'ben' } }
const heads = new Map<string, number>()

const next = (stream: string): number => {
  const head = heads.get(stream) ?? 0
  heads.set(stream, head + 1)
  return head
}

const unit = (stream: string): Unit => ({ append: [{ stream, expect: next(stream), events: [{ type: 'message.said', at: 1, data }] }] })

const ours = (commits: number, batch: number): Promise<Round> =>
  timed(commits * batch, async () => {
    for (let commit = 0; commit < commits; commit += 1) {
      const results = await store.commit(Array.from({ length: batch }, (_, index) => unit(`ours-${batch}-${index}`)))
      if (results.some(({ ok }) => !ok)) throw new Error('a unit was refused')
    }
  })

const theirs = (commits: number, batch: number): Promise<Round> =>
  timed(commits * batch, async () => {
    for (let commit = 0; commit < commits; commit += 1) {
      floor.write(
        Array.from({ length: batch }, (_, index) => {
          const stream = `floor-${batch}-${index}`
          return { stream, seq: next(stream), data: JSON.stringify(data) }
        }),
      )
    }
  })

for (const { batch, commits } of [
  { batch: 1, commits: many(800, 300) },
  { batch: 50, commits: many(120, 50) },
]) {
  const rounds: { mine: Round; its: Round }[] = []
  for (let count = -2; count < many(7, 3); count += 1) {
    const took = { mine: await ours(commits, batch), its: await theirs(commits, batch) }
    if (count >= 0) rounds.push(took)
  }
  const of = (who: 'mine' | 'its', take: (round: Round) => number): number => median(rounds.map((round) => take(round[who])))
  const perSecond = ({ count, seconds }: Round): number => count / seconds
  const cpu = ({ count, cpuMs }: Round): number => (cpuMs / count) * 1000
  const how = batch === 1 ? 'one in each commit' : `${batch} in each commit`
  print({ bench: 'append', figure: `units per second, ${how}`, value: of('mine', perSecond), unit: '1/s', floor: of('its', perSecond) })
  print({ bench: 'append', figure: `CPU per unit, ${how}`, value: of('mine', cpu), unit: 'µs', floor: of('its', cpu) })
}
await store.close()
floor.close()
