import { type Contender, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { profiled } from './profile.ts'
import { scratch } from './scratch.ts'

/** From an update to the recorded reply, and from a tap to its acknowledgement, beside a bare grammY bot that keeps nothing. */
type Side = { people: Contender; account: Contender }
type Taken = { cpu: number; wait: number; perSecond: number }

const most = 64

async function sideWith(file: string, folder: string[]): Promise<Side> {
  const people = start('telegram-people.ts')
  const { url, token } = await people.ask<{ url: string; token: string }>({ where: true })
  const account = start(file, [...folder, url, token])
  await account.ask({ mark: true })
  return { people, account }
}

async function take({ people, account }: Side, what: 'write' | 'tap', chats: number, each: number): Promise<Taken> {
  await account.ask({ mark: true })
  const { seconds, waits } = await people.ask<{ seconds: number; waits: number[] }>({ [what]: { chats, each } })
  const { cpuMs } = await account.ask<{ cpuMs: number }>({ mark: true })
  if (waits.length !== chats * each) throw new Error(`${waits.length} of ${chats * each} were answered`)
  return { cpu: cpuMs / waits.length, wait: median(waits), perSecond: waits.length / seconds }
}

const parley = await sideWith('telegram-parley.ts', [scratch('telegram')])
const bare = await sideWith('telegram-grammy.ts', [])

const { chats } = await parley.people.ask<{ chats: number[] }>({ chats: most })
const { chats: others } = await bare.people.ask<{ chats: number[] }>({ chats: most })
for (const side of [parley, bare]) await take(side, 'write', most, many(6, 3))
await parley.account.ask({ buttons: chats })
await bare.account.ask({ buttons: others })

for (const what of ['write', 'tap'] as const) {
  for (const { count, each, rounds } of [
    { count: 1, each: many(60, 10), rounds: many(5, 2) },
    { count: most, each: many(10, 3), rounds: many(7, 2) },
  ]) {
    const ours: Taken[] = []
    const theirs: Taken[] = []
    const both = async (): Promise<void> => {
      ours.push(await take(parley, what, count, each))
      theirs.push(await take(bare, what, count, each))
    }
    await both()
    ours.length = theirs.length = 0
    await profiled(parley.account, async () => {
      for (let round = 0; round < rounds; round += 1) await both()
    })
    const of = (all: Taken[], name: keyof Taken): number => median(all.map((one) => one[name]))
    const name = what === 'write' ? 'update to recorded send' : 'tap to acknowledged'
    const at = count === 1 ? 'alone' : `at ${count}`
    const ratio = of(ours, 'cpu') / of(theirs, 'cpu')
    print({
      bench: 'telegram',
      figure: `CPU per ${name}, ${at}`,
      value: of(ours, 'cpu'),
      unit: 'ms',
      floor: of(theirs, 'cpu'),
      aim: 'ratio ≤ 2',
      met: ratio <= 2,
    })
    print({ bench: 'telegram', figure: `${name}, ${at}`, value: of(ours, 'wait'), unit: 'ms', floor: of(theirs, 'wait') })
    print({
      bench: 'telegram',
      figure: `${name} per second, ${at}`,
      value: of(ours, 'perSecond'),
      unit: '1/s',
      floor: of(theirs, 'perSecond'),
    })
  }
}
await Promise.all([parley, bare].flatMap(({ people, account }) => [account.end(), people.end()]))
