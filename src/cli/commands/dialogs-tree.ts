import type { CommandFunction } from '../command-row.ts'
import type { DialogSummary } from '../../shapes/wire.ts'
import { warnIfAllStopped } from '../all-stopped.ts'
import { dialogId, withServer } from '../connect.ts'
import { spentWords } from '../spent-words.ts'
import { treeLines, buildTree } from '../tree-lines.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const argument = given.optionalArg(0)
  const items = await withServer(terminal, async ({ client }) => {
    await warnIfAllStopped(terminal, client)
    if (argument !== undefined) return buildTree(await client.dialogs.tree(await dialogId(client, argument)))
    const { items: roots } = await client.dialogs.list({ limit: given.number('limit') ?? 20 })
    const trees: DialogSummary[][] = []
    for (const { id } of roots) trees.push(await client.dialogs.tree(id))
    return buildTree(trees.flat())
  })
  terminal.result({ items }, () => {
    const spent = spentWords(items, terminal)
    return [...treeLines(items, words, paint, terminal.width), ...(spent === '' ? [] : [paint.dim(spent)])]
  })
  if (items.length === 0 && !terminal.json) terminal.say(words.noDialogs)
}
