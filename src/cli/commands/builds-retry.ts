import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { buildId, followBuild } from '../follow-build.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<number> {
  return withServer(terminal, async ({ client }) => {
    const build = await buildId(client, given.arg(0))
    const now = await client.builds.retry(build)
    if (!given.on('detach')) return followBuild(terminal, client, build)
    terminal.result(now, () => terminal.words.builds.retried)
    if (!terminal.json) terminal.say(terminal.words.builds.goesOn(build))
    return exitCode.ok
  })
}
