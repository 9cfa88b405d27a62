import type { DialogDetail } from '../shapes/wire.ts'
import type { ParleyClient } from '../client/index.ts'
import { warnIfAllStopped } from './all-stopped.ts'
import { dialogId, withServer } from './connect.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import type { Terminal } from './terminal.ts'
import { statusWords } from './tree-lines.ts'

type Acts = {
  command: string
  one(client: ParleyClient, dialog: string): Promise<DialogDetail>
  all(client: ParleyClient, root: string | undefined): Promise<{ count: number }>
  /** Result for all dialogs, or for one tree. */
  words(count: number, isTree: boolean): string
}

/** Does something to one dialog, or with --all to every one: everywhere, or in the tree of the one that is named. */
export async function oneOrAll(terminal: Terminal, given: Given, { command, one, all, words }: Acts): Promise<void> {
  const argument = given.optionalArg(0)
  const isAll = given.on('all')
  if (argument === undefined && !isAll) throw new UsageError('Name a dialog, or use --all.', `See: parley ${command} --help`)
  await withServer(terminal, async ({ client }) => {
    const dialog = argument === undefined ? undefined : await dialogId(client, argument)
    if (isAll) {
      const root = dialog === undefined ? undefined : ((await client.dialogs.get(dialog)).origin?.root ?? dialog)
      const outcome = await all(client, root)
      return terminal.result(outcome, () => words(outcome.count, root !== undefined))
    }
    const now = await one(client, dialog ?? '')
    terminal.result(now, () => `${now.id}  ${statusWords(now, terminal.words)}`)
    await warnIfAllStopped(terminal, client)
  })
}
