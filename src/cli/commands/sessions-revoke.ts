import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const id = given.optionalArg(0)
  const isAll = given.on('all')
  if ((id === undefined) !== isAll)
    throw new UsageError('Name one session, or --all for every one.', 'List the sessions: parley sessions list')
  if (id === undefined) {
    const { count } = await withServer(terminal, ({ client }) => client.sessions.revokeOthers())
    return terminal.result({ count }, () => terminal.words.sessionsRevoked(count))
  }
  const session = await withServer(terminal, ({ client }) => client.sessions.revoke(id))
  terminal.result(session, () => terminal.words.sessionRevoked(session.id))
}
