import { dialogId, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export const run = (terminal: Terminal, given: Given): Promise<void> =>
  withServer(terminal, async ({ client }) => {
    const change = given.arg(1) as 'on' | 'off' | 'refill'
    const now = await client.dialogs.changePushes(await dialogId(client, given.arg(0)), change)
    terminal.result(now, () => `${now.id}  ${terminal.words.pushes(now.pushes ?? { left: 0, most: 0, isOn: false })}`)
  })
