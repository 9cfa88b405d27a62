import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { statusWords } from '../tree-lines.ts'

export const run = (terminal: Terminal, given: Given): Promise<void> =>
  withServer(terminal, async ({ client }) => {
    const now = await client.dialogs.freshStart(await dialogId(client, given.arg(0)))
    terminal.result(now, () => `${now.id}  ${statusWords(now, terminal.words)}`)
  })
