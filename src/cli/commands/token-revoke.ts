import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'

export const run: CommandFunction = async (terminal, given) => {
  const token = await withServer(terminal, ({ client }) => client.tokens.revoke(given.arg(0)))
  terminal.result(token, () => terminal.words.tokenRevoked(token.id))
}
