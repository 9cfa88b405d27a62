import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const account = given.optionalArg(0)
  const changed = await withServer(terminal, async ({ client }) => {
    const tokens = given.number('tokens')
    const money = given.text('money')
    if (tokens !== undefined || money !== undefined) {
      const [now] = (await client.account.list()).filter(({ name }) => account === undefined || name === account)
      await client.account.budget({
        account,
        tokens: tokens ?? now?.budget.tokens ?? 0,
        money: money === undefined ? (now?.budget.money ?? 0) : Number(money),
      })
    }
    return client.account.change({ account, displayName: given.text('name'), profile: given.text('profile'), mode: given.text('policy') })
  })
  terminal.result(changed, () => terminal.words.worlds.changed(describeIdentity(changed.account.identity)))
}
