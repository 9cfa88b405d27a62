import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const talk = await withServer(terminal, ({ client }) => client.conversations.handBack(given.arg(0), { account: given.text('account') }))
  terminal.result(talk, () => terminal.words.worlds.handedBack(given.arg(0)))
}
