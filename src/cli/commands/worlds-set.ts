import type { ParleyClient } from '../../client/index.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { readMoney } from '../talk-limits.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const account = given.optionalArg(0)
  checkFlags(given)
  const changed = await withServer(terminal, async ({ client }) => {
    // The budget and the policy keep any id: a mistyped one would be saved and do nothing.
    for (const world of [given.text('world'), given.text('mute')]) if (world !== undefined) await client.worlds.get(world, { account })
    await setBudget(client, account, given)
    const blockedWorlds = await listMuted(client, account, given)
    const change = { displayName: given.text('name'), profile: given.text('profile'), mode: given.text('policy') }
    return client.account.change({ account, ...change, blockedWorlds })
  })
  terminal.result(changed, () => terminal.words.worlds.changed(describeIdentity(changed.account.identity)))
}

/** Each flag changes something, and no two of them contradict each other. */
function checkFlags(given: Given): void {
  const hasBudget = given.number('tokens') !== undefined || readMoney(given) !== undefined
  if (given.text('world') !== undefined && !hasBudget)
    throw new UsageError('--world needs a budget.', 'Write it like this: --world wld_1 --money 0.5')
  const [mute, unmute] = [given.text('mute'), given.text('unmute')]
  if (mute !== undefined && mute === unmute) throw new UsageError(`${mute} is in --mute and in --unmute.`, 'Leave one of them out.')
  const isIdle = !hasBudget && ['name', 'profile', 'policy', 'mute', 'unmute'].every((flag) => given.text(flag) === undefined)
  if (isIdle) throw new UsageError('There is nothing to change.', 'See: parley worlds set --help')
}

const findAccount = async (client: ParleyClient, account: string | undefined) =>
  (await client.account.list()).find(({ name }) => account === undefined || name === account)

async function setBudget(client: ParleyClient, account: string | undefined, given: Given): Promise<void> {
  const tokens = given.number('tokens')
  const money = readMoney(given)
  if (tokens === undefined && money === undefined) return
  const world = given.text('world')
  const own = await findAccount(client, account)
  const now = own?.budget.worlds.find((each) => each.world === world) ?? own?.budget
  await client.account.budget({
    account,
    tokens: tokens ?? now?.tokens ?? 0,
    money: money ?? now?.money ?? 0,
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
