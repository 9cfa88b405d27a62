import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const dialog = await withServer(terminal, async ({ client }) => client.dialogs.stop(await dialogId(client, given.arg(0))))
  terminal.result(dialog, () => `${dialog.id}  ${terminal.words.status[dialog.status]}`)
}
