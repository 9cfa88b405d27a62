import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { oneLine } from '../plain-text.ts'

export const run: CommandFunction = async (terminal) => {
  const documents = await withServer(terminal, ({ client }) => client.taskdocs.list())
  terminal.result(documents, () => documents.map(({ path }) => oneLine(path)))
  if (documents.length === 0 && !terminal.json) terminal.say(terminal.words.taskdocs.none)
}
