import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Wire, wires } from '../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../src/testing/model-behaviours.ts'
import { checkReplay } from './check-replay.ts'
import { behaviours, isSayable } from './replay.ts'
import { checkLine } from './server/check-line.ts'
import { Stage } from './server/play.ts'
import { type Group, groups, pickKill, playGroup } from './server/play-group.ts'
import { type Killed, type LineResult, replaysPage } from './server/replays-page.ts'

/**
 * `npm run replays [-- --rounds 4] [--line id]`: every line in every wire that can say it, with the model runtime alone and on the
 * real server, which is killed after every commit. With `--rounds`, lines are played in groups instead, as often as that, and
 * killed once in each play but the first. Writes docs/REPLAYS.md, unless a line is named.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string' }, line: { type: 'string' }, jobs: { type: 'string', default: '2' } } })
const rounds = values.rounds === undefined ? null : Math.max(1, Number(values.rounds))
/** A line with more commits would not end. */
const maxCommits = 200
const playsOnStage = 12

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300)

async function playEveryKill(line: BehaviourLine, wire: Wire): Promise<Killed> {
  const faults: string[] = []
  let kills = 0
  let killAt = 0
  let isOver = false
  while (!isOver && killAt < maxCommits) {
    const stage = await Stage.open(
      wire,
      Array.from({ length: playsOnStage }, () => line),
    )
    try {
      for (let copy = 0; copy < playsOnStage && !isOver; copy += 1) {
        try {
          const [played] = await stage.play([copy], killAt === 0 ? null : killAt)
          if (played) checkLine(played)
          if (killAt > 0 && played?.isKilled === false) isOver = true
          else if (killAt > 0) kills += 1
        } catch (error) {
          faults.push(`${killAt === 0 ? 'undisturbed' : `killed after commit ${killAt}`}: ${describe(error)}`)
          if (faults.length > 5) isOver = true
        }
        killAt += 1
      }
    } finally {
      await stage.close()
    }
  }
  return { kills, faults }
}

const none = { chat: null, responses: null, anthropic: null }
const results: LineResult[] = behaviours
  .filter(({ id }) => values.line === undefined || id === values.line)
  .map((line) => ({ line, wires: { ...none }, runtime: { ...none } }))
const find = (id: string): LineResult[] => results.filter(({ line }) => line.id === id)

function note(result: LineResult, wire: Wire, kills: number, faults: readonly string[]): void {
  const before = result.wires[wire]
  result.wires[wire] = { kills: (before?.kills ?? 0) + kills, faults: [...(before?.faults ?? []), ...faults] }
}

async function playRound(group: Group, seed: number): Promise<void> {
  const killAt = seed === 0 ? null : pickKill(group, seed)
  const played = await playGroup(group, killAt).catch((error: unknown) => ({
    kills: 0,
    faults: group.lines.map(({ id }) => ({ id, fault: describe(error) })),
  }))
  for (const { id } of group.lines) {
    const faults = played.faults.filter((one) => one.id === id).map(({ fault }) => `seed ${seed}: ${describe(fault)}`)
    for (const result of find(id)) note(result, group.wire, played.kills, faults)
  }
  console.log(`${group.wire} from line ${group.from + 1}, seed ${seed}, killed after commit ${killAt}: ${JSON.stringify(played.faults)}`)
}

async function playLine(result: LineResult, wire: Wire): Promise<void> {
  const { kills, faults } = await playEveryKill(result.line, wire)
  note(result, wire, kills, faults)
  console.log(`${result.line.id}, ${wire}: ${kills} kills, ${faults.length === 0 ? 'ok' : faults.join('\n  ')}`)
}

const pairs = results.flatMap((result) => wires.filter((wire) => isSayable(result.line, wire)).map((wire) => ({ result, wire })))
for (const { result, wire } of pairs) result.runtime[wire] = await checkReplay(result.line, wire).then(() => null, describe)
const jobs =
  rounds === null
    ? pairs.map(
        ({ result, wire }) =>
          () =>
            playLine(result, wire),
      )
    : Array.from({ length: rounds + 1 }, (_, seed) => groups.map((group) => () => playRound(group, seed))).flat()

async function work(): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job()
}
await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work))

const isGood = results.every(
  ({ wires: played, runtime }) =>
    Object.values(played).every((one) => (one?.faults.length ?? 0) === 0) && Object.values(runtime).every((fault) => fault === null),
)
if (values.line === undefined)
  writeFileSync(
    new URL('../../docs/REPLAYS.md', import.meta.url),
    replaysPage(results, { rounds, date: new Date().toISOString().slice(0, 10) }),
  )
console.log(isGood ? 'All replays passed.' : 'Some replays failed.')
process.exitCode = isGood ? 0 : 1
