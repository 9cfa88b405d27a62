import type { CommandFunction } from '../command-row.ts'
import { warnIfAllStopped } from '../all-stopped.ts'
import { dialogId, withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'

export const run: CommandFunction = async (terminal, given) => {
  const agent = given.optionalArg(0)
  const to = given.text('to')
  if (agent !== undefined && to !== undefined)
    throw new UsageError('A dialog already has an agent: name an agent or use --to, not both.', 'See: parley chat --help')
  const taskdoc = given.text('taskdoc')
  if (taskdoc !== undefined && to !== undefined)
    throw new UsageError(
      'A dialog has its task document from the beginning: --to and --taskdoc exclude each other.',
      'See: parley chat --help',
    )
  return withServer(terminal, async (connection) => {
    const model = given.text('model')
    const start = { agent, taskdoc, model, dialog: to === undefined ? undefined : await dialogId(connection.client, to) }
    if (start.dialog !== undefined && model !== undefined) await connection.client.dialogs.chooseModel(start.dialog, model)
    if (!terminal.interactive || given.on('wait')) {
      const { pipedChat } = await import('../chat/piped-chat.ts')
      return pipedChat(terminal, connection, start)
    }
    await warnIfAllStopped(terminal, connection.client)
    const { TerminalChat } = await import('../chat/terminal-chat.ts')
    return new TerminalChat(terminal, connection, start).run()
  })
}
