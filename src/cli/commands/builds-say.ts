import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { buildId } from '../follow-build.ts'
import { readStdin } from '../read-stdin.ts'

export const run: CommandFunction = async (terminal, given) => {
  const text = given.arg(1) === '-' ? await readStdin(terminal, 'The text') : given.arg(1)
  const now = await withServer(terminal, async ({ client }) => client.builds.say(await buildId(client, given.arg(0)), text))
  terminal.result(now, () => terminal.words.builds.said)
}
