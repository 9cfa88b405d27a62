import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { messageFrom } from '../message-flags.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const outcome = await withServer(terminal, ({ client }) => client.messages.remove(messageFrom(given, 'message remove')))
  terminal.result(outcome, () => terminal.words.messages.removed)
}
