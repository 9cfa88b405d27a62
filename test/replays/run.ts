import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Wire, wires } from '../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../src/testing/model-behaviours.ts'
import { checkReplay } from './check-replay.ts'
import { behaviours, isSayable } from './replay.ts'
import { checkLine } from './server/check-line.ts'
import { Stage } from './server/play.ts'
import { type LineResult, replaysPage, type WireResult } from './server/replays-page.ts'

/**
 * `npm run replays [-- --stride 4] [--line id] [--jobs 2]`: every line in every wire that can say it, with the model runtime
 * alone and on the real server, which is killed after every commit (or every n-th). Writes docs/REPLAYS.md, unless a line is named.
 */
const { values } = parseArgs({
  options: { stride: { type: 'string', default: '1' }, line: { type: 'string' }, jobs: { type: 'string', default: '2' } },
})
const stride = Math.max(1, Number(values.stride))
/** A line with more commits would not end. */
const maxCommits = 200
const playsOnStage = 12

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300)

async function playEveryKill(line: BehaviourLine, wire: Wire): Promise<WireResult> {
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
        killAt += killAt === 0 ? 1 : stride
      }
    } finally {
      await stage.close()
    }
  }
  return { kills, commits: killAt, faults }
}

const none = { chat: null, responses: null, anthropic: null }
const results: LineResult[] = behaviours
  .filter(({ id }) => values.line === undefined || id === values.line)
  .map((line) => ({ line, wires: { ...none }, runtime: { ...none } }))
const jobs = results.flatMap((result) => wires.filter((wire) => isSayable(result.line, wire)).map((wire) => ({ result, wire })))

async function work(): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { result, wire } = job
    result.runtime[wire] = await checkReplay(result.line, wire).then(() => null, describe)
    const played = await playEveryKill(result.line, wire)
    result.wires[wire] = played
    const faults = [...(played?.faults ?? []), ...(result.runtime[wire] === null ? [] : [result.runtime[wire]])]
    console.log(`${result.line.id}, ${wire}: ${played?.kills} kills, ${faults.length === 0 ? 'ok' : faults.join('\n  ')}`)
  }
}
await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work))

const isGood = results.every(
  ({ wires: played, runtime }) =>
    Object.values(played).every((one) => (one?.faults.length ?? 0) === 0) && Object.values(runtime).every((fault) => fault === null),
)
if (values.line === undefined)
  writeFileSync(
    new URL('../../docs/REPLAYS.md', import.meta.url),
    replaysPage(results, { stride, date: new Date().toISOString().slice(0, 10) }),
  )
console.log(isGood ? 'All replays passed.' : 'Some replays failed.')
process.exitCode = isGood ? 0 : 1
