import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { oneLine } from '../plain-text.ts'

export const run: CommandFunction = async (terminal, given) => {
  const dialog = await withServer(terminal, async ({ client }) => client.dialogs.title(await dialogId(client, given.arg(0)), given.arg(1)))
  terminal.result(dialog, () => `${dialog.id}  ${oneLine(dialog.title)}`)
}
