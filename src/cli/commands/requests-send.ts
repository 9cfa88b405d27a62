import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const sent = await withServer(terminal, ({ client }) =>
    client.chatRequests.send({
      account: given.text('account'),
      to: given.arg(0),
      brief: given.text('brief') ?? '',
      purpose: given.text('purpose'),
      world: given.text('world'),
    }),
  )
  const { worlds } = terminal.words
  const who = describeIdentity(sent.request.counterparty)
  terminal.result(sent, () => (sent.request.status === 'pending' ? worlds.sent : worlds.begun)(who, sent.request.request))
  if (!terminal.json) for (const { given: old, current } of sent.warnings) terminal.say(worlds.staleName(old, current))
}
