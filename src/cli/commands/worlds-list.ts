import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine } from '../plain-text.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const page = await withServer(terminal, ({ client }) =>
    client.worlds.list({ search: given.text('search'), account: given.text('account') }),
  )
  terminal.result(page, () =>
    columns(
      page.items.map((one) => [
        { text: one.world, paint: paint.bold },
        oneLine(one.displayName),
        words.worlds.worldStatus[one.status],
        words.worlds.members(one.stats.members),
        oneLine(one.summary),
      ]),
      terminal.width,
    ),
  )
  if (page.items.length === 0 && !terminal.json) terminal.say(words.worlds.noWorlds)
}
