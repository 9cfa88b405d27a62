import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { oneLine } from '../plain-text.ts'

export const run: CommandFunction = async (terminal, given) => {
  const created = await withServer(terminal, ({ client }) => client.taskdocs.create(given.arg(0)))
  const { taskdocs } = terminal.words
  terminal.result(created, () => oneLine(created.path))
  if (!terminal.json) terminal.say(created.isNew ? taskdocs.created(oneLine(created.path)) : taskdocs.existed)
}
