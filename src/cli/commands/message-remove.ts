import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { messageFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const outcome = await withServer(terminal, ({ client }) => client.messages.remove(messageFrom(given, 'message remove')))
  terminal.result(outcome, () => terminal.words.messages.removed)
}
