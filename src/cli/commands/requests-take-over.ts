import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const talk = await withServer(terminal, ({ client }) => client.conversations.takeOver(given.arg(0), { account: given.text('account') }))
  terminal.result(talk, () => terminal.words.worlds.tookOver(given.arg(0)))
}
