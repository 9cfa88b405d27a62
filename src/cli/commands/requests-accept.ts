import { dialogId, withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { readLimits } from '../talk-limits.ts'
import { describeIdentity, isChatRequest } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  if (isChatRequest(given.arg(0))) {
    const input = { account: given.text('account'), brief: given.text('brief'), ...readLimits(given) }
    const chat = await withServer(terminal, ({ client }) => client.chatRequests.accept(given.arg(0), input))
    return terminal.result(chat, () => terminal.words.worlds.accepted(describeIdentity(chat.counterparty)))
  }
  const to = given.text('dialog')
  const accepted = await withServer(terminal, async ({ client }) =>
    client.pairings.accept(given.arg(0), to === undefined ? undefined : await dialogId(client, to)),
  )
  terminal.result(accepted, () => terminal.words.messages.accepted(describeWhere(accepted)))
}
