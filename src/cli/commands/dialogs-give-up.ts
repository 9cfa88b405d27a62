import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const note = given.text('note')
  const dialog = await withServer(terminal, async ({ client }) => client.dialogs.declareDead(await dialogId(client, given.arg(0)), note))
  terminal.result(dialog, () => `${dialog.id}  ${terminal.words.status[dialog.status]}`)
}
