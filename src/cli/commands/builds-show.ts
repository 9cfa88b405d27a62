import type { CommandFunction } from '../command-row.ts'
import { clockTime } from '../age.ts'
import { type BuildView, buildViewOfAll, emptyBuild } from '../../client/index.ts'
import { buildLines, openBuildQuestionLines } from '../build-lines.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { buildId, followBuild } from '../follow-build.ts'
import { oneLine } from '../plain-text.ts'

export const run: CommandFunction = async (terminal, given) => {
  const isAll = given.on('all')
  if (isAll && given.on('follow')) throw new UsageError('--all and --follow exclude each other.', 'See: parley builds show --help')
  const { words, paint } = terminal
  return withServer(terminal, async ({ client }) => {
    const build = await buildId(client, given.arg(0))
    if (given.on('follow')) return followBuild(terminal, client, build)
    const events = isAll ? await client.builds.log(build) : await client.builds.events(build)
    let view: BuildView = emptyBuild
    for (const event of events) {
      const { seq, at, type, payload } = event
      const lines = isAll
        ? [`${paint.dim(`${String(seq).padStart(4)}  ${clockTime(at)}`)}  ${paint.bold(type)}  ${oneLine(JSON.stringify(payload))}`]
        : buildLines(event, view, words, paint)
      view = buildViewOfAll(view, [event])
      if (terminal.json || lines.length > 0) terminal.item(event, () => lines)
    }
    if (view.question && !isAll && !terminal.json) {
      const { agent } = await client.builds.get(build)
      const lines = openBuildQuestionLines(build, agent, view.question, words, paint)
      // Right below the question its words need no second showing.
      terminal.item(view.question, () => (/^questions?\.requested$/.test(events.at(-1)?.type ?? '') ? lines.slice(1) : lines))
    }
    return exitCode.ok
  })
}
