import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { statusWords } from '../tree-lines.ts'

export const run: CommandFunction = (terminal, given) =>
  withServer(terminal, async ({ client }) => {
    const now = await client.dialogs.freshStart(await dialogId(client, given.arg(0)))
    terminal.result(now, () => `${now.id}  ${statusWords(now, terminal.words)}`)
  })
