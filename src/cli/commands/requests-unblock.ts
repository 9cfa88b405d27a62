import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import { parseTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const at = parseTarget(given.arg(0), { channel: given.text('channel') })
  const unblocked = await withServer(terminal, ({ client }) => client.pairings.unblock(at))
  terminal.result(unblocked, () => terminal.words.messages.unblocked(describeWhere(unblocked)))
}
