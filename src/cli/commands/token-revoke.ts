import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const token = await withServer(terminal, ({ client }) => client.tokens.revoke(given.arg(0)))
  terminal.result(token, () => terminal.words.tokenRevoked(token.id))
}
