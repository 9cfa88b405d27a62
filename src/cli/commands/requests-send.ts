import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const result = await withServer(terminal, ({ client }) =>
    client.chatRequests.send({
      account: given.text('account'),
      to: given.arg(0),
      brief: given.text('brief') ?? '',
      purpose: given.text('purpose'),
      world: given.text('world'),
    }),
  )
  const { worlds } = terminal.words
  const who = describeIdentity(result.request.counterparty)
  terminal.result(result, () => (result.request.status === 'pending' ? worlds.sent : worlds.begun)(who, result.request.request))
  if (!terminal.json) for (const { given: old, current } of result.warnings) terminal.say(worlds.staleName(old, current))
}
