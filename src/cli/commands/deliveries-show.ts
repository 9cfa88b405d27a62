import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { deliveryLines, nextStep } from '../delivery-words.ts'

export const run: CommandFunction = async (terminal, given) => {
  const delivery = await withServer(terminal, ({ client }) => client.deliveries.get(given.arg(0)))
  terminal.result(delivery, () => deliveryLines(delivery, terminal.words, terminal.paint))
  const next = delivery.state === 'waiting' || delivery.error ? null : nextStep(delivery, terminal.words)
  if (!terminal.json && next !== null) terminal.say(`${terminal.errPaint.cyan('→')} ${next}`)
}
