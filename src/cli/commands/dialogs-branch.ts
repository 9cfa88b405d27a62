import { ParleyError } from '../../errors.ts'
import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { oneLine } from '../plain-text.ts'

/** Events read to find the last message, when none is given. */
const readBack = 500

export const run: CommandFunction = async (terminal, given) => {
  const text = given.text('text')
  const branch = await withServer(terminal, async ({ client }) => {
    const dialog = await dialogId(client, given.arg(0))
    const { head } = await client.dialogs.get(dialog)
    const last = async (): Promise<string> => {
      const { items } = await client.events.read({ stream: dialog, after: Math.max(0, head - readBack), limit: readBack })
      const said = items.findLast(({ type }) => type === 'message.said')
      if (!said) throw new ParleyError('message_not_found', { message: '' })
      return String((said.data as { message?: unknown }).message)
    }
    const message = given.arg(1) || (await last())
    return client.dialogs.branch(dialog, { message, ...(text !== undefined && { text }), ...(given.on('again') && { again: true }) })
  })
  terminal.result(branch, () => `${branch.id}  ${oneLine(branch.title)}`)
}
