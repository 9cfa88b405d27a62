import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity, isChatRequest } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  if (isChatRequest(given.arg(0))) {
    const chat = await withServer(terminal, ({ client }) => client.chatRequests.reject(given.arg(0), { account: given.text('account') }))
    return terminal.result(chat, () => terminal.words.worlds.declined(describeIdentity(chat.counterparty)))
  }
  const declined = await withServer(terminal, ({ client }) => client.pairings.decline(given.arg(0)))
  terminal.result(declined, () => terminal.words.messages.declined(describeWhere(declined)))
}
