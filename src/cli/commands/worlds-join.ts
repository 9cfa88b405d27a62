import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const joined = await withServer(terminal, ({ client }) =>
    client.worlds.join(given.arg(0), {
      account: given.text('account'),
      text: given.text('text') ?? '',
      version: given.number('read') ?? 1,
    }),
  )
  terminal.result(joined, () => terminal.words.worlds.joined(joined.world.displayName))
  if (!terminal.json) terminal.say(`${terminal.words.next} parley worlds show ${joined.world.world}`)
}
