import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const delivery = await withServer(terminal, ({ client }) => client.deliveries.confirm(given.arg(0)))
  const { messages } = terminal.words
  terminal.result(delivery, () => messages.isConfirmed)
  if (!terminal.json) terminal.say(messages.seeDelivery(delivery.id))
}
