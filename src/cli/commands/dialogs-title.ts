import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { oneLine } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const dialog = await withServer(terminal, async ({ client }) => client.dialogs.title(await dialogId(client, given.arg(0)), given.arg(1)))
  terminal.result(dialog, () => `${dialog.id}  ${oneLine(dialog.title)}`)
}
