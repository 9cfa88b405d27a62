import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { messageFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const at = messageFrom(given, 'message pin')
  const outcome = await withServer(terminal, ({ client }) => client.messages.pin({ ...at, notify: given.on('notify') }))
  terminal.result(outcome, () => terminal.words.messages.pinned)
}
