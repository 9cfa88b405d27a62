import { ParleyError } from '../../errors.ts'
import { askChoiceOrNotNow } from '../ask.ts'
import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'

export const run: CommandFunction = (terminal, given) =>
  withServer(terminal, async ({ client }) => {
    const { words } = terminal
    const id = await dialogId(client, given.arg(0))
    if (!given.on('yes')) {
      if (terminal.json || !terminal.interactive) throw new ParleyError('needs_terminal', { flag: `parley dialogs delete ${id} --yes` })
      const { title, updatedAt } = await client.dialogs.get(id)
      terminal.warn(`${id}  ${title}  ${new Date(updatedAt).toLocaleString()}`)
      if ((await askChoiceOrNotNow(terminal, words.deleteAsk, [{ value: 'yes', label: words.deleteYes }])) === null)
        return exitCode.interrupted
    }
    const { count } = await client.dialogs.delete(id)
    terminal.result({ id, count }, () => `${id}  ${words.deleted(count)}`)
    return exitCode.ok
  })
