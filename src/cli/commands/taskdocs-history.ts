import { ParleyError } from '../../errors.ts'
import { columns } from '../columns.ts'
import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { plainText } from '../plain-text.ts'
import { sectionPath, writerName } from '../taskdoc-words.ts'

/** Enough of a version to name it. */
const shownChars = 8

export const run: CommandFunction = async (terminal, given) => {
  const beginning = given.optionalArg(1)
  const { words, paint, language } = terminal
  await withServer(terminal, async ({ client }) => {
    const dialog = await dialogId(client, given.arg(0))
    const versions = await client.taskdocs.versions(dialog)
    if (beginning !== undefined) {
      const found = versions.find(({ version }) => version.startsWith(beginning))
      if (!found) throw new ParleyError('taskdoc_version_not_found', { version: beginning })
      const version = await client.taskdocs.version(dialog, found.version)
      return terminal.result(version, () => plainText(version.text.trimEnd()))
    }
    terminal.result(versions, () =>
      columns(
        versions.map((version) => [
          { text: version.version.slice(0, shownChars), paint: paint.dim },
          new Date(version.at).toLocaleString(language),
          sectionPath(version),
          writerName(version.by, words),
        ]),
        terminal.width,
      ),
    )
    if (versions.length === 0 && !terminal.json) terminal.say(words.taskdocs.noVersions)
  })
}
