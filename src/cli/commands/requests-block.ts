import type { ParleyClient } from '../../client/index.ts'
import type { Target } from '../../client/wire.ts'
import { withServer } from '../connect.ts'
import { whereOf } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import { parseTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'

/** The code of somebody who waits says where they are; otherwise it is a place. */
async function placeOf(client: ParleyClient, typed: string, channel: string | undefined): Promise<Target> {
  const waiting = await client.pairings.list('requested')
  const found = waiting.find(({ pairing }) => pairing?.code === typed.trim())
  return found ? { channel: found.channel, target: found.address } : parseTarget(typed, { channel })
}

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const blocked = await withServer(terminal, async ({ client }) =>
    client.pairings.block(await placeOf(client, given.arg(0), given.text('channel'))),
  )
  const { messages, next } = terminal.words
  terminal.result(blocked, () => messages.blocked(whereOf(blocked)))
  if (!terminal.json) terminal.say(`${next} parley requests unblock ${whereOf(blocked)}`)
}
