import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { readStdin } from '../read-stdin.ts'
import { sectionPath, toSectionName } from '../taskdoc-words.ts'

export const run: CommandFunction = async (terminal, given) => {
  const section = toSectionName(given.arg(1))
  const content = given.arg(2) === '-' ? await readStdin(terminal, 'The text') : given.arg(2)
  const document = await withServer(terminal, async ({ client }) => {
    const dialog = await dialogId(client, given.arg(0))
    const findHash = async (): Promise<string> => {
      const { sections } = await client.taskdocs.get(dialog)
      return sections.find((one) => sectionPath(one) === sectionPath(section))?.hash ?? 'none'
    }
    return client.taskdocs.change(dialog, { ...section, content, knownHash: given.text('hash') ?? (await findHash()) })
  })
  const hash = document.sections.find((one) => sectionPath(one) === sectionPath(section))?.hash ?? ''
  terminal.result({ path: document.path, ...section, hash }, () => terminal.words.taskdocs.changed(sectionPath(section), hash))
}
