import { withServer } from '../connect.ts'
import { buildId } from '../follow-build.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const now = await withServer(terminal, async ({ client }) => client.builds.cancel(await buildId(client, given.arg(0))))
  terminal.result(now, () => terminal.words.builds.cancelled)
}
