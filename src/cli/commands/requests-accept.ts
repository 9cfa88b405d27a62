import { dialogId, withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const to = given.text('dialog')
  const accepted = await withServer(terminal, async ({ client }) =>
    client.pairings.accept(given.arg(0), to === undefined ? undefined : await dialogId(client, to)),
  )
  terminal.result(accepted, () => terminal.words.messages.accepted(describeWhere(accepted)))
}
