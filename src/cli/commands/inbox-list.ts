import { warnIfAllStopped } from '../all-stopped.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { inboxLines } from '../inbox-words.ts'
import { withCommands } from '../rest-outcome.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const inbox = await withServer(terminal, async ({ client }) => {
    await warnIfAllStopped(terminal, client)
    return client.inbox()
  })
  const { words, paint } = terminal
  const items = inbox.items.map((item) => (item.kind === 'question' ? { ...item, question: withCommands(item.question) } : item))
  terminal.result({ ...inbox, items }, () =>
    inbox.items.flatMap((item, at) => [...(at > 0 ? [''] : []), ...inboxLines(item, words, paint)]),
  )
  if (inbox.items.length === 0 && !terminal.json) terminal.say(words.nothingWaits)
}
