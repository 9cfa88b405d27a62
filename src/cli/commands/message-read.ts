import type { CommandFunction } from '../command-row.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { targetFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const at = targetFrom(given, 'message read')
  const query = { limit: given.number('limit'), before: given.text('before'), messageId: given.text('message-id') }
  const items = await withServer(terminal, ({ client }) => client.messages.read({ ...at, ...query }))
  const { words, paint } = terminal
  // The newest is the last line, as in a chat.
  terminal.result({ items }, () =>
    columns(
      items
        .toReversed()
        .map(({ messageId, from, at: time, text, files }) => [
          { text: messageId, paint: paint.dim },
          age(time, words),
          { text: from.name, paint: paint.bold },
          files > 0 ? `${text} ${words.messages.files(files)}`.trim() : text,
        ]),
      terminal.width,
    ),
  )
  if (items.length === 0 && !terminal.json) terminal.say(words.messages.noMessages)
}
