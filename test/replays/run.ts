import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkReplay } from './check-replay.ts'
import { Campaign } from './campaign.ts'
import { behaviours } from './replay.ts'
import { describeFault } from './server/play-group.ts'
import { type LineResult, replaysPage } from './server/replays-page.ts'

/**
 * `npm run replays [-- --minutes 30] [--jobs 2] [--line id] [--progress file]`: every line in every wire that can say it, with the
 * model runtime alone and on the real server, which is killed before and after every commit of every line. What was played is
 * kept in the progress file, and the next run goes on from there; remove the file to begin anew. With a line there is no such
 * file unless it is named. Writes docs/REPLAYS.md, unless a line is named.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    line: { type: 'string' },
    progress: { type: 'string' },
  },
})
const minutes = values.minutes === undefined ? Infinity : Number(values.minutes)
const lines = behaviours.filter(({ id }) => values.line === undefined || id === values.line)
if (lines.length === 0) throw new Error(`There is no line ${values.line}.`)
const campaign = new Campaign(lines, values.progress ?? (values.line === undefined ? join(tmpdir(), 'parley-replays.json') : null))
const end = performance.now() + minutes * 60_000
await campaign.run(Math.max(1, Number(values.jobs)), () => performance.now() > end)

const none = { chat: null, responses: null, anthropic: null }
const results = lines.map((line): LineResult => ({ line, wires: { ...none }, runtime: { ...none } }))
for (const progress of campaign.progress) {
  const result = results.find(({ line }) => line.id === progress.id)
  if (!result) continue
  result.wires[progress.wire] = progress
  result.runtime[progress.wire] = await checkReplay(result.line, progress.wire).then(() => null, describeFault)
}
const isGood = results.every(
  ({ wires: played, runtime }) =>
    Object.values(played).every((one) => (one?.faults.length ?? 0) === 0) && Object.values(runtime).every((fault) => fault === null),
)
if (values.line === undefined)
  writeFileSync(new URL('../../docs/REPLAYS.md', import.meta.url), replaysPage(results, new Date().toISOString().slice(0, 10)))
for (const { id, wire, kills, isOver, faults } of campaign.progress)
  if (values.line !== undefined || faults.length > 0)
    console.log(`${id}, ${wire}: ${kills} kills${isOver ? '' : ', not ended'}${faults.map((fault) => `\n  ${fault}`).join('')}`)
console.log(isGood ? 'All replays passed.' : 'Some replays failed.')
if (!campaign.isOver) console.log('Not all commits were reached: run it again to go on.')
process.exitCode = isGood ? 0 : 1
