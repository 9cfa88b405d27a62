import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const world = await withServer(terminal, ({ client }) => client.worlds.leave(given.arg(0), { account: given.text('account') }))
  terminal.result(world, () => terminal.words.worlds.left(world.displayName))
}
