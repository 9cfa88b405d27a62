import type { ParleyClient } from '../../client/index.ts'
import type { Target } from '../../shapes/wire.ts'
import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import { parseTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity, isChatRequest } from '../world-words.ts'

/** The code of a waiting request, or an address. */
async function toPlace(client: ParleyClient, typed: string, channel: string | undefined): Promise<Target> {
  const waiting = await client.pairings.list('requested')
  const match = waiting.find(({ pairing }) => pairing?.code === typed.trim())
  return match ? { channel: match.channel, target: match.address } : parseTarget(typed, { channel })
}

export async function run(terminal: Terminal, given: Given): Promise<void> {
  if (isChatRequest(given.arg(0))) {
    const chat = await withServer(terminal, ({ client }) => client.chatRequests.block(given.arg(0), { account: given.text('account') }))
    return terminal.result(chat, () => terminal.words.worlds.blocked(describeIdentity(chat.counterparty)))
  }
  const blocked = await withServer(terminal, async ({ client }) =>
    client.pairings.block(await toPlace(client, given.arg(0), given.text('channel'))),
  )
  const { messages, next } = terminal.words
  terminal.result(blocked, () => messages.blocked(describeWhere(blocked)))
  if (!terminal.json) terminal.say(`${next} parley requests unblock ${describeWhere(blocked)}`)
}
