import type { CommandFunction } from '../command-row.ts'
import { asTypedHere } from '../command-name.ts'
import { withServer } from '../connect.ts'
import { buildId } from '../follow-build.ts'
import { readStdin } from '../read-stdin.ts'

export const run: CommandFunction = async (terminal, given) => {
  const text = given.arg(1) === '-' ? await readStdin(terminal, 'The text') : given.arg(1)
  return withServer(terminal, async ({ client }) => {
    const build = await buildId(client, given.arg(0))
    const { status } = await client.builds.get(build)
    const now = await client.builds.say(build, text)
    const { newRound, saidWaiting, said } = terminal.words.builds
    const isOver = status === 'complete' || status === 'failed' || status === 'cancelled'
    terminal.result(now, () => asTypedHere(isOver ? newRound(now.build_id) : now.question ? saidWaiting(now.build_id) : said))
  })
}
