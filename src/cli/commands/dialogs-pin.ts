import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'

export const run: CommandFunction = (terminal, given) =>
  withServer(terminal, async ({ client }) => {
    const now = await client.dialogs.pin(await dialogId(client, given.arg(0)), !given.on('off'))
    terminal.result(now, () => `${now.id}  ${terminal.words.pinned(now.isPinned ?? false)}`)
  })
