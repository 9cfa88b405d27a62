import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const dialog = await withServer(terminal, ({ client }) => client.dialogs.trust(given.arg(0)))
  terminal.result(dialog, () => terminal.words.approvals.trustDone(dialog.id))
}
