import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const world = await withServer(terminal, ({ client }) =>
    client.worlds.create({
      account: given.text('account'),
      displayName: given.arg(0),
      summary: given.text('summary'),
      text: given.text('text') ?? '',
      joinText: given.text('join-text') ?? '',
      visibility: given.on('private') ? 'private' : 'public',
    }),
  )
  terminal.result(world, () => terminal.words.worlds.created(world.displayName, world.world))
}
