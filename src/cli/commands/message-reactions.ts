import type { CommandFunction } from '../command-row.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { messageFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const at = messageFrom(given, 'message reactions')
  const items = await withServer(terminal, ({ client }) => client.messages.reactions(at))
  const { words, paint } = terminal
  terminal.result({ items }, () =>
    columns(
      items.map(({ emoji, count, people }) => [{ text: emoji, paint: paint.bold }, String(count), people.join(', ')]),
      terminal.width,
    ),
  )
  if (items.length === 0 && !terminal.json) terminal.say(words.messages.noReactions)
}
