import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import { messageFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const emoji = given.text('emoji')
  const isTakenAway = given.on('remove')
  if ((emoji === undefined) !== isTakenAway)
    throw new UsageError('Give either --emoji or --remove.', 'Such as: parley message react -t 42 --message-id 7 --emoji 👍')
  const at = messageFrom(given, 'message react')
  const outcome = await withServer(terminal, ({ client }) => client.messages.react(at, emoji ?? null))
  const { messages } = terminal.words
  terminal.result({ ...outcome, emoji: emoji ?? null }, () => (isTakenAway ? messages.unreacted : messages.reacted))
}
