import type { ParleyClient } from '../../client/index.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const account = given.optionalArg(0)
  const changed = await withServer(terminal, async ({ client }) => {
    await setBudget(client, account, given)
    const blockedWorlds = await listMuted(client, account, given)
    const change = { displayName: given.text('name'), profile: given.text('profile'), mode: given.text('policy') }
    return client.account.change({ account, ...change, blockedWorlds })
  })
  terminal.result(changed, () => terminal.words.worlds.changed(describeIdentity(changed.account.identity)))
}

const findAccount = async (client: ParleyClient, account: string | undefined) =>
  (await client.account.list()).find(({ name }) => account === undefined || name === account)

async function setBudget(client: ParleyClient, account: string | undefined, given: Given): Promise<void> {
  const tokens = given.number('tokens')
  const money = given.text('money')
  if (tokens === undefined && money === undefined) return
  const world = given.text('world')
  const own = await findAccount(client, account)
  const now = own?.budget.worlds.find((each) => each.world === world) ?? own?.budget
  await client.account.budget({
    account,
    tokens: tokens ?? now?.tokens ?? 0,
    money: money === undefined ? (now?.money ?? 0) : Number(money),
    world,
  })
}

async function listMuted(client: ParleyClient, account: string | undefined, given: Given): Promise<string[] | undefined> {
  const [mute, unmute] = [given.text('mute'), given.text('unmute')]
  if (mute === undefined && unmute === undefined) return undefined
  const worlds = new Set((await findAccount(client, account))?.account.policy.blocks.worldIds)
  if (mute !== undefined) worlds.add(mute)
  if (unmute !== undefined) worlds.delete(unmute)
  return [...worlds]
}
