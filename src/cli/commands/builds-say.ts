import { withServer } from '../connect.ts'
import { buildId } from '../follow-build.ts'
import type { Given } from '../given.ts'
import { readStdin } from '../read-stdin.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const text = given.arg(1) === '-' ? await readStdin(terminal, 'The text') : given.arg(1)
  const now = await withServer(terminal, async ({ client }) => client.builds.say(await buildId(client, given.arg(0)), text))
  terminal.result(now, () => terminal.words.builds.said)
}
