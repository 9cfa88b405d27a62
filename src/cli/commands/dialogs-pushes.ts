import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'

export const run: CommandFunction = (terminal, given) =>
  withServer(terminal, async ({ client }) => {
    const change = given.arg(1) as 'on' | 'off' | 'refill'
    const now = await client.dialogs.changePushes(await dialogId(client, given.arg(0)), change)
    terminal.result(now, () => `${now.id}  ${terminal.words.pushes(now.pushes ?? { left: 0, most: 0, isOn: false })}`)
  })
