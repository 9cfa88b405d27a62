import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const account = given.optionalArg(0)
  const items = await withServer(terminal, async ({ client }) => {
    const names = account === undefined ? (await client.account.list()).map(({ name }) => name) : [account]
    return Promise.all(names.map((name) => client.account.stop({ account: name })))
  })
  terminal.result({ items }, () => terminal.words.worlds.isStopped)
}
