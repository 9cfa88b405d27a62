import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const ended = await withServer(terminal, ({ client }) => client.grants.revoke(given.arg(0)))
  terminal.result(ended, () => terminal.words.approvals.grantRevoked(ended.id))
}
