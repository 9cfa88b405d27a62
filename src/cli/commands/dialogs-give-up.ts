import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'

export const run: CommandFunction = async (terminal, given) => {
  const note = given.text('note')
  const dialog = await withServer(terminal, async ({ client }) => client.dialogs.declareDead(await dialogId(client, given.arg(0)), note))
  terminal.result(dialog, () => `${dialog.id}  ${terminal.words.status[dialog.status]}`)
}
