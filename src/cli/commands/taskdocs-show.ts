import { ParleyError } from '../../errors.ts'
import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { oneLine, plainText } from '../plain-text.ts'
import { changedLine, sectionPath } from '../taskdoc-words.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const name = given.optionalArg(1)
  const document = await withServer(terminal, async ({ client }) => client.taskdocs.get(await dialogId(client, given.arg(0))))
  const sections = document.sections.filter((section) => name === undefined || sectionPath(section) === name)
  if (name !== undefined && sections.length === 0) throw new ParleyError('bad_section', { section: name, why: words.taskdocs.noSection })
  terminal.result({ ...document, sections }, () => [
    ...(name === undefined ? [paint.bold(oneLine(document.path))] : []),
    ...sections.flatMap((section) => [
      '',
      `${paint.bold(sectionPath(section))}  ${paint.dim(changedLine(section, terminal))}`,
      ...(section.text === '' ? [] : [plainText(section.text.trimEnd())]),
    ]),
    ...(document.omitted > 0 ? ['', paint.yellow(words.taskdocs.omitted(document.omitted))] : []),
  ])
}
