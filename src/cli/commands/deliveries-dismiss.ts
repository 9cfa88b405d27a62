import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const delivery = await withServer(terminal, ({ client }) => client.deliveries.dismiss(given.arg(0)))
  const { messages } = terminal.words
  terminal.result(delivery, () => messages.isDismissed)
  if (!terminal.json) terminal.say(messages.retryDelivery(delivery.id))
}
