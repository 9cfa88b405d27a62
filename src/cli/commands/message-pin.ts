import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { messageFrom } from '../message-flags.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const at = messageFrom(given, 'message pin')
  const outcome = await withServer(terminal, ({ client }) => client.messages.pin({ ...at, notify: given.on('notify') }))
  terminal.result(outcome, () => terminal.words.messages.pinned)
}
