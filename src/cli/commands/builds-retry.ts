import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { buildId, followBuild } from '../follow-build.ts'

export const run: CommandFunction = async (terminal, given) => {
  return withServer(terminal, async ({ client }) => {
    const build = await buildId(client, given.arg(0))
    const now = await client.builds.retry(build)
    if (!given.on('detach')) return followBuild(terminal, client, build)
    terminal.result(now, () => terminal.words.builds.retried)
    if (!terminal.json) terminal.say(terminal.words.builds.goesOn(build))
    return exitCode.ok
  })
}
