import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'

export const run: CommandFunction = async (terminal, given) => {
  const delivery = await withServer(terminal, ({ client }) => client.deliveries.dismiss(given.arg(0)))
  const { messages } = terminal.words
  terminal.result(delivery, () => messages.isDismissed)
  if (!terminal.json) terminal.say(messages.retryDelivery(delivery.id))
}
