import { join } from 'node:path'
import { openParley } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { askingTeam } from './asking-team.ts'
import { type Round, timed } from './contender.ts'
import { countedCommits } from './counted-commits.ts'
import { floorLog } from './floor-log.ts'
import { many, median, print, short } from './figure.ts'
import { rest } from './rest.ts'
import { scratch } from './scratch.ts'
import { caller, words } from './words.ts'

/**
 * Ask and answer: a human speaks, the agent asks, the human answers, the agent replies; each of the four on disk before
 * the next. The agent thinks in no time, so this is what Parley itself costs. The floor is four bare appends, one after
 * the other.
 */
const folder = scratch('questions')
const floor = floorLog(join(folder, 'floor.db'))
const store = sqliteStore({ path: join(folder, 'parley.db') })
const counts = countedCommits(store)
const parley = openParley({ store, team: askingTeam })
const untilRest = rest(store)

async function pair(dialog: string, count: number): Promise<void> {
  const atRest = untilRest(dialog)
  await parley.dialogs.say(dialog, words(count), caller)
  await atRest
  const [question] = (await parley.dialogs.get(dialog)).questions
  if (!question) throw new Error('the agent did not ask')
  const replied = untilRest(dialog)
  await parley.questions.answer(question.id, { choice: 'green' }, caller)
  await replied
}

async function round(side: number, pairs: number): Promise<Round> {
  const dialogs = await Promise.all(Array.from({ length: side }, () => parley.dialogs.open({}, caller)))
  const before = counts.commits
  const took = await timed(side * pairs, async () => {
    await Promise.all(
      dialogs.map(async ({ id }) => {
        for (let count = 0; count < pairs; count += 1) await pair(id, count)
      }),
    )
  })
  return { ...took, commits: counts.commits - before }
}

let total = 0

function floorRound(side: number, pairs: number): Promise<Round> {
  return timed(side * pairs, async () => {
    await Promise.all(
      Array.from({ length: side }, async () => {
        const stream = `dialog-${(total += 1)}`
        for (let seq = 1; seq <= 4 * pairs; seq += 1) await floor.append(stream, seq, words(seq).repeat(3))
      }),
    )
  })
}

for (const { side, pairs } of [
  { side: 1, pairs: many(150, 60) },
  { side: 64, pairs: many(12, 6) },
]) {
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let count = -many(3, 2); count < many(7, 3); count += 1) {
    const [mine, its] = [await round(side, pairs), await floorRound(side, pairs)]
    if (count < 0) continue
    ours.push(mine)
    theirs.push(its)
  }
  const of = (rounds: Round[], take: (round: Round) => number): number => median(rounds.map(take))
  const perSecond = ({ count, seconds }: Round): number => count / seconds
  const cpu = ({ count, cpuMs }: Round): number => cpuMs / count
  const at = side === 1 ? 'alone' : `at ${side}`
  const fsyncs = short(of(ours, ({ count, commits }) => (commits ?? 0) / count))
  print({
    bench: 'questions',
    figure: `ask and answer pairs per second ${at}`,
    value: of(ours, perSecond),
    unit: '1/s',
    floor: of(theirs, perSecond),
    fsyncs,
  })
  print({ bench: 'questions', figure: `CPU per pair ${at}`, value: of(ours, cpu), unit: 'ms', floor: of(theirs, cpu) })
}
await parley.close()
await store.close()
floor.close()
