import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { accountLines } from '../world-words.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const items = await withServer(terminal, ({ client }) => client.account.list())
  terminal.result({ items }, () => items.flatMap((one) => accountLines(one, terminal)))
}
