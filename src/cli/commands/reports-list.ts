import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine } from '../plain-text.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const page = await withServer(terminal, ({ client }) => client.reports.list({ account: given.text('account') }))
  terminal.result(page, () =>
    columns(
      page.items.map((one) => [
        { text: one.request, paint: paint.bold },
        oneLine(one.facts?.peer ?? ''),
        one.state,
        oneLine(one.headline ?? one.text),
      ]),
      terminal.width,
    ),
  )
  if (page.items.length === 0 && !terminal.json) terminal.say(words.worlds.noReports)
}
