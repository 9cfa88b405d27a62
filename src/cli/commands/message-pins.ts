import type { CommandFunction } from '../command-row.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { targetFrom } from '../message-flags.ts'

export const run: CommandFunction = async (terminal, given) => {
  const at = targetFrom(given, 'message pins')
  const items = await withServer(terminal, ({ client }) => client.messages.pins({ ...at, limit: given.number('limit') }))
  const { words, paint } = terminal
  terminal.result({ items }, () =>
    columns(
      items.map(({ id, receipts, plannedAt, text }) => [
        { text: receipts[0]?.messageId ?? '–', paint: paint.bold },
        { text: id, paint: paint.dim },
        age(plannedAt, words),
        text,
      ]),
      terminal.width,
    ),
  )
  if (items.length === 0 && !terminal.json) terminal.say(words.messages.noPins)
}
