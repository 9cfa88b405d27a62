import { fileURLToPath } from 'node:url'
import { type Contender, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { profiled } from './profile.ts'
import { scratch } from './scratch.ts'

/**
 * From an update to the recorded reply, from a tap to its acknowledgement, and a question that a tap answers, beside a bare
 * grammY bot that keeps nothing. `--only write`, `tap` or `ask` is one of them; `--counts` only counts, and tells every count on stderr.
 */
type Side = { people: Contender; account: Contender }
type What = 'write' | 'tap' | 'ask'
type Taken = { cpu: number; wait: number; perSecond: number; asked: number; counts: Record<string, number> }

const most = 64
const only = process.argv[process.argv.indexOf('--only') + 1]
const onlyCounts = process.argv.includes('--counts')
const cases = (['write', 'tap', 'ask'] as const).filter((what) => !process.argv.includes('--only') || what === only)
/** A question is an update, and its answer is a second one. */
const countUpdates = (what: What): number => (what === 'ask' ? 2 : 1)

async function sideWith(file: string, folder: string[], execArgv: string[] = []): Promise<Side> {
  const people = start('telegram-people.ts')
  const { url, token } = await people.ask<{ url: string; token: string }>({ where: true })
  const account = start(file, [...folder, url, token], { execArgv })
  await account.ask({ mark: true })
  return { people, account }
}

async function take({ people, account }: Side, what: What, chats: number, each: number): Promise<Taken> {
  await account.ask({ mark: true })
  const {
    seconds,
    waits,
    asked = [0],
  } = await people.ask<{ seconds: number; waits: number[]; asked?: number[] }>({
    [what]: { chats, each },
  })
  const { cpuMs, ...counts } = await account.ask<{ cpuMs: number; [count: string]: number }>({ mark: true })
  if (waits.length !== chats * each) throw new Error(`${waits.length} of ${chats * each} were answered`)
  const updates = waits.length * countUpdates(what)
  return { cpu: cpuMs / updates, wait: median(waits), perSecond: updates / seconds, asked: median(asked), counts }
}

const parley = await sideWith('telegram-parley.ts', [scratch('telegram')])
const bare = await sideWith('telegram-grammy.ts', [])

const { chats } = await parley.people.ask<{ chats: number[] }>({ chats: most })
const { chats: others } = await bare.people.ask<{ chats: number[] }>({ chats: most })
for (const side of [parley, bare]) await take(side, 'write', most, many(6, 3))
await parley.account.ask({ buttons: chats })
await bare.account.ask({ buttons: others })

const names: Record<What, { cpu: string; wait: string; rate: string; aim: string; ratio: number }> = {
  write: { cpu: 'update to recorded send', wait: 'update to recorded send', rate: 'update to recorded send', aim: 'ratio ≤ 2', ratio: 2 },
  tap: { cpu: 'tap to acknowledged', wait: 'tap to acknowledged', rate: 'tap to acknowledged', aim: 'ratio ≤ 2', ratio: 2 },
  ask: { cpu: 'update of question and tap', wait: 'tap to closed question', rate: 'updates of question and tap', aim: '', ratio: Infinity },
}

for (const what of onlyCounts ? [] : cases) {
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
    const of = (all: Taken[], name: Exclude<keyof Taken, 'counts'>): number => median(all.map((one) => one[name]))
    const { cpu, wait, rate, aim, ratio } = names[what]
    const at = count === 1 ? 'alone' : `at ${count}`
    const compared = (name: Exclude<keyof Taken, 'counts'>): { value: number; floor: number } => ({
      value: of(ours, name),
      floor: of(theirs, name),
    })
    const cost = compared('cpu')
    // The aim for a question and a tap is an absolute one of the issue; ratios carry over to other machines.
    const aimed =
      what === 'ask' ? (count === 1 ? {} : { aim: '≤ 1.4 ms', met: cost.value <= 1.4 }) : { aim, met: cost.value / cost.floor <= ratio }
    print({ bench: 'telegram', figure: `CPU per ${cpu}, ${at}`, unit: 'ms', ...cost, ...aimed })
    if (what === 'ask') {
      const asked = compared('asked')
      const goal = count === 1 ? { aim: '≤ 6 ms', met: asked.value <= 6 } : {}
      print({ bench: 'telegram', figure: `update to question, ${at}`, unit: 'ms', ...asked, ...goal })
    }
    print({ bench: 'telegram', figure: `${wait}, ${at}`, unit: 'ms', ...compared('wait') })
    print({ bench: 'telegram', figure: `${rate} per second, ${at}`, unit: '1/s', ...compared('perSecond') })
  }
}

/** Queries and writes of one update at the store. */
const counted = {
  'events appended': 'changed event',
  'rows of views written': 'changed row',
  'reads of streams': 'all FROM event',
  'claims of work': 'get UPDATE meta',
  'once-only names looked up': 'get FROM once',
  'SQL statements': 'statements',
  fsyncs: 'fsyncs',
}
if (cases.includes('ask')) {
  const counting = await sideWith(
    'telegram-parley.ts',
    [scratch('telegram')],
    ['--import', fileURLToPath(new URL('count-work.ts', import.meta.url))],
  )
  for (const count of [1, most]) {
    const each = count === 1 ? many(60, 20) : many(10, 5)
    await take(counting, 'ask', count, each)
    const { counts } = await take(counting, 'ask', count, each)
    for (const [name, key] of Object.entries(counted)) {
      const value = (counts[key] ?? 0) / (count * each * countUpdates('ask'))
      print({
        bench: 'telegram',
        figure: `${name} per update of question and tap, ${count === 1 ? 'alone' : `at ${count}`}`,
        value,
        unit: '',
      })
    }
    if (!onlyCounts) continue
    for (const [name, value] of Object.entries(counts))
      process.stderr.write(`${(value / (count * each)).toFixed(2).padStart(10)}  ${name}\n`)
  }
  await Promise.all([counting.account.end(), counting.people.end()])
}
await Promise.all([parley, bare].flatMap(({ people, account }) => [account.end(), people.end()]))
