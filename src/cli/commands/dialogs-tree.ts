import type { DialogSummary } from '../../client/wire.ts'
import { warnIfAllStopped } from '../all-stopped.ts'
import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { spentWords } from '../spent-words.ts'
import type { Terminal } from '../terminal.ts'
import { treeLines, treeOf } from '../tree-lines.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const asked = given.optionalArg(0)
  const items = await withServer(terminal, async ({ client }) => {
    await warnIfAllStopped(terminal, client)
    if (asked !== undefined) return treeOf(await client.dialogs.tree(await dialogId(client, asked)))
    const { items: roots } = await client.dialogs.list({ limit: given.number('limit') ?? 20 })
    const trees: DialogSummary[][] = []
    for (const { id } of roots) trees.push(await client.dialogs.tree(id))
    return treeOf(trees.flat())
  })
  terminal.result({ items }, () => {
    const spent = spentWords(items, terminal)
    return [...treeLines(items, words, paint, terminal.width), ...(spent === '' ? [] : [paint.dim(spent)])]
  })
  if (items.length === 0 && !terminal.json) terminal.say(words.noDialogs)
}
