import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'

export const run: CommandFunction = async (terminal, given) => {
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
