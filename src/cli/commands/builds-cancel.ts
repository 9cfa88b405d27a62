import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { buildId } from '../follow-build.ts'

export const run: CommandFunction = async (terminal, given) => {
  const now = await withServer(terminal, async ({ client }) => client.builds.cancel(await buildId(client, given.arg(0))))
  terminal.result(now, () => terminal.words.builds.cancelled)
}
