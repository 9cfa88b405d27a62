import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'

export const run: CommandFunction = async (terminal, given) => {
  const ended = await withServer(terminal, ({ client }) => client.grants.revoke(given.arg(0)))
  terminal.result(ended, () => terminal.words.approvals.grantRevoked(ended.id))
}
