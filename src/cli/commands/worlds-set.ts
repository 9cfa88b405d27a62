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
      const world = given.text('world')
      const [one] = (await client.account.list()).filter(({ name }) => account === undefined || name === account)
      const now = one?.budget.worlds.find((each) => each.world === world) ?? one?.budget
      await client.account.budget({
        account,
        tokens: tokens ?? now?.tokens ?? 0,
        money: money === undefined ? (now?.money ?? 0) : Number(money),
        world,
      })
    }
    return client.account.change({ account, displayName: given.text('name'), profile: given.text('profile'), mode: given.text('policy') })
  })
  terminal.result(changed, () => terminal.words.worlds.changed(describeIdentity(changed.account.identity)))
}
