import { warnIfAllStopped } from '../all-stopped.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { inboxLines } from '../inbox-words.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const inbox = await withServer(terminal, async ({ client }) => {
    await warnIfAllStopped(terminal, client)
    return client.inbox()
  })
  const { words, paint } = terminal
  terminal.result(inbox, () => inbox.items.flatMap((item, at) => [...(at > 0 ? [''] : []), ...inboxLines(item, words, paint)]))
  if (inbox.items.length === 0 && !terminal.json) terminal.say(words.nothingWaits)
}
