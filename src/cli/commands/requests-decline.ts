import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const declined = await withServer(terminal, ({ client }) => client.pairings.decline(given.arg(0)))
  terminal.result(declined, () => terminal.words.messages.declined(describeWhere(declined)))
}
